import { describe, expect, test } from 'vitest'
import { type BookingFlowName as FlowName, bookingFlows as flows, toWorkflowId } from '#flows'
import { pass, type Rule } from '../../../testing/stack/wire.ts'
import { rejectionsOf } from '../../support/flows/booking.ts'
import { textOf } from '../../support/flows/history.ts'
import { findIn } from '../../support/flows/secrets.ts'
import { startFor, walk } from '../../support/flows/underway.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()

/** Personal data of the world's user that the service could write into its messages. */
const person = ['robin@example.org', 'Robin', 'Reader', 'robin']

/** Nothing of a person, and no code that opens a locker, is where everybody may look who sees flows. */
async function expectNothingPersonal(caseNo: string, codes: readonly string[]): Promise<void> {
  const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
  const { raw } = await handle.describe()
  const board = JSON.stringify(await handle.query('__temporal_workflow_metadata'))
  const history = await textOf(world, caseNo)
  // The board and the history are really there, and readable.
  expect(board).toContain(caseNo)
  expect(history).toContain(caseNo)
  const found = [history, board, JSON.stringify(raw)].map(text => findIn(text, person, codes))
  expect(found).toEqual([[], [], []])
}

async function codesOf(caseNo: string): Promise<string[]> {
  const shipments = await world.shipmentsOf(caseNo)
  const answers = await Promise.all(
    shipments.map(({ shipmentUid }) => world.api.call('GetShipmentAccessCode', { shipmentUid }, { withCodes: true })),
  )
  const codes = answers.flatMap(({ deliveryCode, pickUpCode }) => [deliveryCode, pickUpCode])
  return codes.filter(code => code !== null && code !== '') as string[]
}

test.each(Object.keys(flows) as FlowName[])('the history of %s contains no personal data', async flow => {
  const underway = await startFor(world, flow)
  const codes = await codesOf(underway.caseNo)
  expect(codes.length).toBeGreaterThan(0)
  await walk(world, underway)
  expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  await expectNothingPersonal(underway.caseNo, codes)
})

describe('personal data that the service returns', () => {
  const sentence = 'Robin Reader <robin@example.org> may not, with code 123456'
  const said = { success: false, error: 'SomethingElse', message: sentence }

  function at(operation: string): Rule {
    return ({ path }) => (path.includes(operation) ? { kind: 'answer', body: said } : pass)
  }

  test('in the response to a poll does not get into the flow', async () => {
    world.toService.rule = at('GetShipments')
    const underway = await startFor(world, 'issue', 'dropOff', { dropOff: '1s' })
    const status = await world.statusWhen(underway.caseNo, status => rejectionsOf(status).length > 0)
    expect(rejectionsOf(status)[0]?.what).toBe('the service could not be read: SomethingElse')
    world.toService.rule = () => pass
    await world.flows.cancel(underway.caseNo, 'over')
    const board = await world.client.workflow
      .getHandle(toWorkflowId(underway.caseNo))
      .query('__temporal_workflow_metadata')
    for (const secret of [...person, '123456']) expect(JSON.stringify(board)).not.toContain(secret)
  })

  test('in a refusal of the booking does not get into the flow or its failure', async () => {
    const caseNo = world.newCase(0)
    world.toService.rule = at('/CreateLocal')
    const answer = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
    expect(answer).toMatchObject({ kind: 'Refused', code: 'SomethingElse' })
    await expectNothingPersonal(caseNo, ['123456'])
    expect(JSON.stringify(answer)).not.toMatch(/Robin|example\.org|123456/)
  })
})
