import { tracingChannel } from 'node:diagnostics_channel'
import { expect, onTestFinished, test } from 'vitest'
import type { OperationName } from '#contract'
import type { Topology } from '#service'
import { createTopologyRegistry } from '../../../../service/topology/index.ts'
import { eventually } from '../../../support/eventually.ts'
import { startServices } from '../../../support/servers/serviceProcesses.ts'
import { countWaits, holdWrites } from '../../../support/service/heldWrites.ts'
import { temporaryStore } from '../../../support/service/temporaryStore.ts'
import type { TestService } from '../../../support/service/testService.ts'
import { booking, medium, topology } from '../../../support/service/topology.ts'

const person = { firstName: 'Ada', lastName: 'User', emailAddress: 'ada@home.example' }
const overflow = { ...booking, PupUid: 'border', Dimension: medium, AllowOverflowLockers: true }
const orphan = 'accounts with this main pick up point: 1'

/** Requests that need the access of acme to `shared`, and the table that they write last. */
const requests: readonly {
  readonly what: string
  readonly name: OperationName
  readonly fields: object
  readonly table: 'shipments' | 'accounts'
  /** Why the access stays after the request. */
  readonly use: string
  /** The error after the removal of the access. */
  readonly error: string
}[] = [
  {
    what: 'a booking in a batch',
    name: 'CreateLocalShipmentAsStock',
    fields: { ...booking, PupUid: 'shared' },
    table: 'shipments',
    use: 'active shipments: 1',
    error: 'InvalidPupUid',
  },
  {
    what: 'a booking of a named locker',
    name: 'CreateLocalShipmentAsStock',
    fields: { ...booking, PupUid: 'shared', LockerUid: 'shared:7' },
    table: 'shipments',
    use: 'active shipments: 1',
    error: 'InvalidPupUid',
  },
  {
    what: 'a booking at the overflow pick up point',
    name: 'CreateLocalShipmentAsStock',
    fields: overflow,
    table: 'shipments',
    use: 'active shipments: 1',
    error: 'InvalidDimension',
  },
  {
    what: 'a new account',
    name: 'CreateAccount',
    fields: { ...person, pickUpPointUid: 'shared' },
    table: 'accounts',
    use: orphan,
    error: 'InvalidPupUid',
  },
  {
    what: 'a new account that might exist',
    name: 'CreateOrGetAccount',
    fields: { ...person, pickUpPointUid: 'shared' },
    table: 'accounts',
    use: orphan,
    error: 'InvalidPupUid',
  },
  {
    what: 'an account that moves',
    name: 'SetAccountPickUpPoint',
    fields: { pickUpPointUid: 'shared' },
    table: 'accounts',
    use: orphan,
    error: 'InvalidPupUid',
  },
]

test.each(requests)('the removal of an access waits for $what', async ({ name, fields, table, use }) => {
  const { service, store, registry, call } = await start(name, fields)
  const release = await holdWrites(store, table)
  const response = call()
  await eventually(async () => (await countWaits(store, 'held')) === 1)
  const removal = observed(registry.apply(withAccess([]), { retire: true }))
  await eventually(async () => removal.isDone() || (await countWaits(store, 'lock')) === 1)
  await release()
  expect((await response).body).toMatchObject({ success: true })
  const lines = (await removal.result).map(({ change, id, detail }) => `${change} ${id} ${detail ?? ''}`.trim())
  expect(lines).toEqual(['retired shared acme', `refused shared acme ${use}`])
  expect(await countAccesses(service)).toBe(1)
})

test.each(requests)('$what waits for the removal of the access', async ({ name, fields, error }) => {
  const { service, store, registry, call } = await start(name, fields)
  const release = await holdWrites(store, 'removals')
  const removal = registry.apply(withAccess([]), { retire: true })
  await eventually(async () => (await countWaits(store, 'held')) === 1)
  const response = observed(call())
  await eventually(async () => response.isDone() || (await countWaits(store, 'lock')) === 1)
  await release()
  await removal
  expect((await response.result).body).toMatchObject({ error })
  expect(await countAccesses(service)).toBe(0)
})

test('the removal of an access with a locker does not deadlock with a booking of that locker', async () => {
  const name = 'CreateLocalShipmentAsStock'
  const { service, store, registry, call } = await start(name, { ...booking, PupUid: 'shared', LockerUid: 'shared:7' })
  const codes = watchTransactions()
  const release = await holdWrites(store, 'lockers')
  const removal = registry.apply(withAccess([], [{ names: '1-6', ...medium }]), { retire: true })
  await eventually(async () => (await countWaits(store, 'held')) === 1)
  const response = call()
  await eventually(async () => (await countWaits(store, 'lock')) === 1)
  await release()
  await removal
  expect((await response).body).toMatchObject({ error: 'InvalidPupUid' })
  expect(await countAccesses(service)).toBe(0)
  // The only error is the refusal: a deadlock would be another one, although its transaction is repeated.
  expect(codes).toEqual(['InvalidPupUid'])
})

/** The codes of the errors of transactions until the test ends. */
function watchTransactions(): readonly unknown[] {
  const codes: unknown[] = []
  const note = (message: unknown) => void codes.push((message as { readonly error: { code?: unknown } }).error.code)
  const channel = tracingChannel('lockerflow:transaction')
  channel.error.subscribe(note)
  onTestFinished(() => void channel.error.unsubscribe(note))
  return codes
}

/** The topology of the tests, in which `shared` belongs to these tenants and takes what does not fit at `border`. */
function withAccess(tenants: string[], lockers?: Topology['pickUpPoints'][number]['lockers']): Topology {
  const pickUpPoints = topology.pickUpPoints.map(point => {
    if (point.pupUid === 'shared') return { ...point, tenants, ...(lockers && { lockers }) }
    return point.pupUid === 'border' ? { ...point, overflowPupUid: 'shared' } : point
  })
  return { ...topology, pickUpPoints }
}

/** Starts a service, and prepares a request to it. */
async function start(name: OperationName, fields: object) {
  const overrides = { topology: withAccess(['acme']) }
  const [service] = (await startServices(1, await temporaryStore(), overrides)) as [TestService]
  const { store } = service
  const prepared: { userUid?: unknown } = {}
  if (name === 'SetAccountPickUpPoint') {
    prepared.userUid = (await service.call('CreateAccount', { ...person, pickUpPointUid: 'square' })).body.userUid
  }
  const registry = createTopologyRegistry(store, Date.now)
  return { service, store, registry, call: () => service.call(name, { ...fields, ...prepared }) }
}

async function countAccesses({ store }: TestService): Promise<number> {
  const access = store.selectFrom('pick_up_point_tenants').select('tenant_id').where('pup_uid', '=', 'shared')
  return (await access.execute()).length
}

function observed<Result>(result: Promise<Result>) {
  let done = false
  const end = () => {
    done = true
  }
  result.then(end, end)
  return { result, isDone: () => done }
}
