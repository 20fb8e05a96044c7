import type { CompiledQuery } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Answers, type Receiver, startReceiver } from '../../../support/servers/callbackReceiver.ts'
import { startServices } from '../../../support/servers/serviceProcesses.ts'
import { temporaryStore } from '../../../support/service/temporaryStore.ts'
import type { TestService } from '../../../support/service/testService.ts'
import { booking } from '../../../support/service/topology.ts'

// The callbacks of batches, which the process that books delivers without a claim.

const day = 86_400_000
const stock = { ...booking, PupUid: 'shared' }
/** Without a poll, only a claim or a lease delivers. */
const delivery = { pollInterval: day, initialInterval: 20, maximumInterval: 100 }

async function receive(answers?: Answers): Promise<Receiver> {
  const receiver = await startReceiver(answers)
  onTestFinished(() => receiver.stop())
  return receiver
}

async function book(service: TestService): Promise<string> {
  const { body } = await service.call('CreateLocalShipmentAsStock', stock)
  expect(body.error).toBe(null)
  return (body.shipmentUids as string[])[0] ?? ''
}

const configure = (service: TestService, { url }: Receiver) =>
  service.call('ConfigureCallback', { url, authType: 'HMAC' })

/** Notes the statements that claim callbacks. */
function watchClaims({ store }: TestService) {
  const sent = vi.spyOn(store, 'executeQuery')
  return () => sent.mock.calls.filter(([query]) => (query as CompiledQuery).sql.startsWith('update "outbox"')).length
}

test('the callback of a batch is delivered and deleted without a claim', async () => {
  const [service] = (await startServices(1, await temporaryStore(), { delivery })) as [TestService]
  const receiver = await receive()
  const claims = watchClaims(service)
  await configure(service, receiver)
  // The new address causes a claim of new messages and one of retries.
  await vi.waitFor(() => expect(claims()).toBe(2))
  for (let at = 0; at < 5; at++) await receiver.until(1, await book(service))
  await vi.waitFor(async () => expect(await messagesOf(service)).toEqual([]))
  expect(claims()).toBe(2)
  expect(receiver.received).toHaveLength(5)
})

test('a callback that another transaction enqueues meanwhile follows at once, in order', async () => {
  const [service] = (await startServices(1, await temporaryStore(), { delivery })) as [TestService]
  const { promise: released, resolve: release } = Promise.withResolvers<{ status: number }>()
  const receiver = await receive((_, count) => (count === 2 ? released : { status: 204 }))
  await configure(service, receiver)
  await receiver.until(1, await book(service))
  const shipmentUid = await book(service)
  await receiver.until(1, shipmentUid)
  await service.call('CancelShipment', { shipmentUid })
  release({ status: 204 })
  const states = (await receiver.until(2, shipmentUid)).map(({ body }) => JSON.parse(body).message.stateCode)
  expect(states).toEqual(['ReadyForDropOff', 'Cancelled'])
})

test('a failed delivery is repeated', async () => {
  const [service] = (await startServices(1, await temporaryStore(), { delivery })) as [TestService]
  const receiver = await receive((_, count) => ({ status: count === 2 ? 500 : 204 }))
  await configure(service, receiver)
  await receiver.until(1, await book(service))
  const shipmentUid = await book(service)
  await receiver.until(2, shipmentUid)
  await vi.waitFor(async () => expect(await messagesOf(service)).toEqual([]))
})

test('an address that another process has set since gets the callback', async () => {
  const [one, other] = (await startServices(2, await temporaryStore(), { delivery })) as [TestService, TestService]
  const [before, after] = await Promise.all([receive(), receive()])
  await configure(one, before)
  await before.until(1, await book(one))
  await configure(other, after)
  await after.until(1, await book(one))
  expect(before.received).toHaveLength(1)
})

function messagesOf({ store }: TestService) {
  return store.selectFrom('outbox').select(['seq', 'attempts']).execute()
}
