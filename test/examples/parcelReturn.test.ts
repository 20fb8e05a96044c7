import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { addWorkingTime, calendarOf, readCalendars } from '#activities/calendars'
import { createFlowClient } from '#client'
import { type FlowShipment, toWorkflowId } from '#flows'
import { loadFlows } from '#flows/check'
import type { FlowDeclaration } from '#flows/declaration'
import { examples } from '../support/examples/languages.ts'
import { sweepCase, terminate } from '../support/flows/orphans.ts'
import { useWorld } from '../support/world/useWorld.ts'
import { startProcess } from '../support/world/workerProcess.ts'

const world = useWorld()
const file = join(examples, 'parcel-return', 'parcelReturn.yaml')
const calendarFile = join(examples, 'parcel-return', 'calendars.yaml')
const calendars = readCalendars(calendarFile)
let parcelReturn: FlowDeclaration

beforeAll(async () => {
  const { flows, faults } = await loadFlows([file])
  expect(faults).toEqual([])
  if (flows.parcelReturn === undefined) throw new Error('the file declares no parcelReturn')
  parcelReturn = flows.parcelReturn
  await world.restartWorker({ flows: [parcelReturn], calendars })
})

/** A client that knows the declaration from YAML: without literal types. */
const client = () => createFlowClient(world.client, { taskQueue: world.taskQueue, flows: [parcelReturn] })

const steps = ['bringBack', 'round', 'fetch', 'check', 'putBack', 'pickUp'] as const
type Step = (typeof steps)[number]

/** @param round milliseconds until the courier comes */
async function start(round = 0, windows = {}): Promise<string> {
  const caseNo = world.newCase()
  const request = {
    PupUid: 'pup-1',
    customerUid: world.userUid,
    size: { width: 30, height: 15, length: 40 },
    courierAt: new Date(Date.now() + round).toISOString(),
  }
  const booking = await client().startAndWaitForBooking('parcelReturn', { caseNo, request, windows })
  if (booking.kind !== 'Booked') throw new Error(JSON.stringify(booking))
  return caseNo
}

const answers = {
  refund: { step: 'check', answer: 'refund', fields: { cents: 2500 } },
  reject: { step: 'check', answer: 'reject', fields: { why: 'worn' } },
}

/** Does what lets a flow leave each step, up to the given one. */
async function walk(caseNo: string, answer: keyof typeof answers, until?: Step): Promise<void> {
  const open = (shipments: readonly FlowShipment[], role: string, code: 'deliveryCode' | 'pickUpCode') => {
    const shipment = shipments.find(each => each.role === role)
    if (shipment === undefined) throw new Error(`no shipment of the role ${role}`)
    return world.open(shipment, code)
  }
  const leave: Readonly<Record<Step, ((shipments: readonly FlowShipment[]) => Promise<unknown>) | null>> = {
    bringBack: shipments => open(shipments, 'intake', 'deliveryCode'),
    // It passes by itself, and may be over before it is seen.
    round: null,
    fetch: shipments => open(shipments, 'intake', 'pickUpCode'),
    check: () => client().answer(caseNo, answers[answer]),
    putBack: shipments => open(shipments, 'back', 'deliveryCode'),
    pickUp: shipments => open(shipments, 'back', 'pickUpCode'),
  }
  for (const step of steps.slice(0, answer === 'refund' ? 4 : undefined)) {
    if (leave[step] === null && step !== until) continue
    const { shipments } = await world.statusWhen(caseNo, ({ stage }) => stage === step)
    if (step === 'putBack') world.cases.set(caseNo, 2)
    if (step === until) return
    await leave[step]?.(shipments)
  }
}

describe('a parcel return, declared in YAML alone', () => {
  test('that is refunded completes', async () => {
    const caseNo = await start()
    await walk(caseNo, 'refund')
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: { outcome: 'completed', leftOver: [], answer: 'refund', cents: 2500, why: null },
    })
  })

  test('that is rejected goes back', async () => {
    const caseNo = await start()
    await walk(caseNo, 'reject')
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: {
        outcome: 'completed',
        shipments: [
          { role: 'intake', stateCode: 'Completed' },
          { role: 'back', stateCode: 'Completed' },
        ],
        answer: 'reject',
        cents: null,
        why: 'worn',
      },
    })
  })

  test('waits for the round of the courier', async () => {
    const caseNo = await start(3_600_000)
    await walk(caseNo, 'refund', 'round')
    const status = await world.statusWhen(caseNo, ({ stage }) => stage === 'round')
    expect(Date.parse(status.deadline ?? '') - Date.now()).toBeGreaterThan(3_000_000)
    await world.flows.cancel(caseNo, 'over')
  })

  test('gives the shop working hours to check it', async () => {
    const caseNo = await start()
    await walk(caseNo, 'refund', 'check')
    const { since, deadline } = await world.statusWhen(
      caseNo,
      ({ stage, deadline }) => stage === 'check' && deadline !== null,
    )
    const end = addWorkingTime(calendarOf(calendars, 'pup-1'), 'Europe/Amsterdam', Date.parse(since), 40 * 3_600_000)
    expect(deadline).toBe(new Date(end).toISOString())
    await world.flows.cancel(caseNo, 'over')
  })

  test('that does not come expires, and frees the locker', async () => {
    const caseNo = await start(0, { bringBack: '300ms' })
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: { outcome: 'expired', shipments: [{ stateCode: 'Cancelled' }] },
    })
  })

  const inShop = { step: 'fetch', shipmentUid: null, reason: 'The parcel is in the shop.' }
  const itemInside = expect.objectContaining({ reason: 'there is an item in the locker' })

  test.each<[Step, unknown[]]>([
    ['bringBack', []],
    ['round', [itemInside]],
    ['fetch', [itemInside]],
    ['check', [inShop]],
    ['putBack', [inShop]],
    ['pickUp', [itemInside, inShop]],
  ])('cancelled in %s is undone', async (step, leftOver) => {
    const caseNo = await start(step === 'round' ? 3_600_000 : 0)
    await walk(caseNo, 'reject', step)
    expect(await world.flows.cancel(caseNo, 'over')).toEqual({ kind: 'Cancelled', outcome: 'cancelled', leftOver })
  })

  test('survives a lost worker, which the setting starts again', async () => {
    await world.stopWorker()
    const settings = { LOCKERFLOW_FLOWS: file, LOCKERFLOW_CALENDARS: calendarFile }
    const lost = await startProcess(world, settings)
    const caseNo = await start()
    await walk(caseNo, 'refund', 'fetch')
    lost.kill('SIGKILL')
    const next = await startProcess(world, settings)
    await walkFrom(caseNo)
    next.kill('SIGTERM')
    await world.restartWorker({ flows: [parcelReturn], calendars })
  })

  async function walkFrom(caseNo: string): Promise<void> {
    const { shipments } = await world.statusWhen(caseNo, ({ stage }) => stage === 'fetch')
    const [shipment] = shipments
    if (shipment === undefined) throw new Error('no shipment')
    await world.open(shipment, 'pickUpCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'check')
    await client().answer(caseNo, answers.refund)
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  }

  test('is found and adopted by a sweep', async () => {
    const caseNo = await start()
    await world.statusWhen(caseNo, ({ stage }) => stage === 'bringBack')
    await terminate(world, caseNo)
    expect(await sweepCase(world, caseNo, { act: 'adopt' })).toMatchObject({ adopted: true })
    await walk(caseNo, 'refund')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('refuses an input that its fields do not allow', async () => {
    // The client refuses it, so no flow is started.
    const caseNo = `refused-${randomUUID()}`
    const request = { PupUid: 'pup-1', size: { width: 30 } }
    const started = await client().startAndWaitForBooking('parcelReturn', { caseNo, request })
    expect(started).toMatchObject({ kind: 'Refused', code: 'InvalidFlowInput' })
    expect(started).toHaveProperty('message', expect.stringContaining('customerUid'))
  })

  test('is described in the Web UI by its steps', async () => {
    const caseNo = await start()
    const described = await world.client.workflow.getHandle(toWorkflowId(caseNo)).describe()
    expect(await described.staticDetails()).toContain(
      '**check**: The shop checks the parcel. Window until 40h of working time',
    )
    await world.flows.cancel(caseNo, 'over')
  })
})
