import { Client } from '@temporalio/client'
import { expect, test } from 'vitest'
import { createFlowClient } from '#client'
import { pass } from '../../testing/stack/wire.ts'
import { eventually } from '../support/eventually.ts'
import { book, requestOf } from '../support/flows/booking.ts'
import { eventsOf } from '../support/flows/history.ts'
import { resetToStart } from '../support/flows/reset.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

/** Resolves when the newest run has accepted this many updates of a name. */
function accepted(caseNo: string, name: string, count = 1): Promise<unknown> {
  return eventually(async () => {
    // The flow may not have started yet.
    const events = await eventsOf(world, caseNo).catch(() => [])
    const requests = events.map(event => event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest)
    return requests.filter(request => request?.input?.name === name).length >= count
  })
}

/** Delays the responses to matching requests of the flow. Returns the function that ends the delay. */
function delay(matches: (passing: { readonly path: string; readonly body: string }) => boolean): () => void {
  const { promise: until, resolve } = Promise.withResolvers<void>()
  world.toService.rule = passing => (matches(passing) ? { kind: 'answerLater', until } : pass)
  return resolve
}

async function runOf(caseNo: string): Promise<string> {
  return (await world.flows.handle(caseNo).describe()).runId
}

/** Resets a flow, and waits until its new run has a task. */
async function reset(caseNo: string): Promise<void> {
  const before = await runOf(caseNo)
  await resetToStart(world, caseNo)
  expect(await runOf(caseNo)).not.toBe(before)
}

test('callers that wait for a booking get it from the run that a reset has made', async () => {
  const caseNo = world.newCase()
  const release = delay(({ body }) => body.includes(caseNo))
  const first = world.flows.startAndWaitForBooking('issue', { caseNo, request: requestOf(world, 'issue') })
  await accepted(caseNo, 'waitForBooking')
  const second = world.flows.waitForBooking(caseNo)
  await accepted(caseNo, 'waitForBooking', 2)
  await reset(caseNo)
  release()
  expect(await first).toMatchObject({ kind: 'Booked', caseNo, shipments: [{ role: 'issue' }] })
  expect(await second).toMatchObject({ kind: 'Booked', caseNo })
  await world.flows.cancel(caseNo, 'over')
})

test.each(['without', 'with'])(
  'a caller %s a key that cancels a flow learns the end of the run that a reset has made',
  async kind => {
    const { caseNo } = await book(world, 'issue')
    const once = { key: 'cancel-1', runId: await runOf(caseNo) }
    const release = delay(({ path }) => path.endsWith('CancelShipment'))
    const cancelled = world.flows.cancel(caseNo, 'over', kind === 'with' ? { once } : {})
    await accepted(caseNo, 'cancel')
    await reset(caseNo)
    release()
    expect(await cancelled).toMatchObject({ kind: 'Cancelled', outcome: 'cancelled' })
  },
)

test('a caller that waits for the end gets that of a new run which ends at once', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  const handle = world.flows.handle(caseNo)
  const slow = new Client({
    ...world.client.options,
    connection: world.client.connection,
    interceptors: {
      workflow: [
        {
          async describe(input, next) {
            await handle.result()
            return next(input)
          },
        },
      ],
    },
  })
  const ended = createFlowClient(slow, { taskQueue: world.taskQueue }).waitForEnd(caseNo)
  await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  world.toGateway.rule = () => ({ kind: 'acknowledge' })
  await world.open(shipment, 'pickUpCode')
  await resetToStart(world, caseNo)
  expect(await ended).toMatchObject({ kind: 'Ended', result: { outcome: 'completed' } })
})
