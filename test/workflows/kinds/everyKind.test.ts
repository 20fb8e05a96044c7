import { describe, expect, test } from 'vitest'
import type { Simulation } from '#testing/simulator'
import { requireRole } from '../../support/flows/underway.ts'
import { workshop } from '../../support/flows/workshop.ts'
import { tell } from '../../support/simulator/journeys.ts'
import { undosBy } from '../../support/simulator/undos.ts'
import { untilEnd } from '../../support/simulator/useSimulations.ts'
import { agree, bringIn, decline, finish, unpaid, useSimulatedWorkshop } from '../../support/simulator/workshop.ts'

const start = useSimulatedWorkshop()
const inside = 'there is an item in the locker'
const button = { cancelInWebUi: true } as const
const book = 'CreateLocalShipmentAsIssue'

async function statesOf(simulation: Simulation): Promise<string[]> {
  const { items } = await simulation.call('GetShipments', { referenceCaseNo: 'SIM-1' })
  return items.map(({ stateCode }) => stateCode).toSorted()
}

describe('a flow with every kind of step', () => {
  test('leaves a step out whose condition is false', async () => {
    const simulation = await start({ events: [bringIn, decline] })
    await finish(simulation)
    expect(simulation.status().result).toMatchObject({ report: null, cents: null })
  })

  test('goes on after a failure that it tolerates', async () => {
    const faults = [{ run: 'repair', code: 'CannotRepair' }]
    const simulation = await start({ faults, events: [bringIn, agree] })
    await finish(simulation)
    const { result, outputs } = simulation.status()
    expect(result).toMatchObject({ report: null })
    expect(outputs).toMatchObject({ label: { labelNo: 'L-1' }, repair: { error: 'CannotRepair' } })
    expect(JSON.stringify(outputs)).not.toContain('not kept')
  })

  test('is cancelled by the button while the service and the printer are away: the undo waits for both', async () => {
    const simulation = await start({
      events: [
        { fail: { call: 'CancelShipment', times: 2, fault: 'unavailable' } },
        { fail: { run: 'voidLabel', times: 2, fault: 'unavailable' } },
        button,
      ],
    })
    expect(simulation.status().state).toBe('cleaningUp')
    await untilEnd(simulation)
    const { outcome, leftOver, timeLine } = simulation.run()
    expect({ outcome, leftOver }).toEqual({ outcome: 'cancelled', leftOver: [] })
    const repeated = timeLine.filter(entry => entry.kind === 'activityCompleted' && entry.attempts === 3)
    expect(repeated).toMatchObject([{ activity: 'cancelShipments' }, { activity: 'voidLabel' }])
    expect(await statesOf(simulation)).toEqual(['Cancelled'])
  })

  test.each([
    ['PrinterGone', 'PrinterGone'],
    ['', 'RunGivenUp'],
  ])('leaves a step over whose undo fails with the type "%s"', async (type, code) => {
    const simulation = await start({ events: [{ fail: { run: 'voidLabel', code: type } }, button] })
    const leftOver = [{ step: 'label', shipmentUid: null, reason: `it could not be undone: ${code}` }]
    expect(simulation.run()).toMatchObject({ outcome: 'cancelled', leftOver })
    expect(await statesOf(simulation)).toEqual(['Cancelled'])
  })

  test('ends when a shipment that it awaits is cancelled from outside', async () => {
    const simulation = await start({ events: [{ cancelShipment: 'device' }] })
    expect(simulation.run()).toMatchObject({ outcome: 'cancelled', leftOver: [] })
    expect(undosBy(simulation, 'voidLabel')).toHaveLength(1)
  })

  test('fails with the code of a refused second booking, and undoes the steps before', async () => {
    const simulation = await start({ events: [bringIn, { fail: { book, code: 'UnknownOperation' } }, decline] })
    await simulation.apply({ after: '1s' })
    expect(simulation.run()).toMatchObject({ outcome: 'failed', code: 'UnknownOperation' })
    expect(undosBy(simulation, 'voidLabel')).toHaveLength(1)
  })
})

describe('in runs of a few events', () => {
  const suggestedAt = 4

  function runsOf(simulation: Simulation): number {
    return simulation.run().timeLine.filter(({ kind }) => kind === 'started').length
  }

  test('the flow continues as new between its steps, and loses nothing', async () => {
    const simulation = await start({ suggestedAt, events: [bringIn, agree, { after: '1s' }] })
    expect(simulation.status().step).toBe('putBack')
    expect(await simulation.apply(agree)).toEqual({ kind: 'done' })
    const answers = simulation.run().timeLine.flatMap(entry => (entry.kind === 'updateCompleted' ? [entry.result] : []))
    expect(answers[1]).toEqual(answers[0])
    await finish(simulation)
    expect(simulation.status().result).toMatchObject({ report: 'repaired', cents: 4_900, leftOver: [] })
    expect(runsOf(simulation)).toBeGreaterThanOrEqual(workshop.steps.length)
  })

  test('so does its undo', async () => {
    const simulation = await start({ suggestedAt, events: [bringIn, agree, { after: '1s' }] })
    const before = runsOf(simulation)
    const device = requireRole(simulation.status().shipments, 'device')
    await tell(simulation, [{ fail: { run: 'voidLabel', times: 1, fault: 'unavailable' } }, button])
    await untilEnd(simulation)
    const left = { step: 'intakeBooking', shipmentUid: device.shipmentUid, reason: inside }
    expect(simulation.run()).toMatchObject({ outcome: 'cancelled', leftOver: [unpaid, left] })
    expect(undosBy(simulation, 'voidLabel')).toHaveLength(1)
    expect(await statesOf(simulation)).toEqual(['Cancelled', 'ReadyForPickup'])
    expect(runsOf(simulation)).toBeGreaterThan(before)
  })
})
