import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConnectedLockers, connectLockers } from '#testing'
import { startWire, type Wire } from '../../testing/stack/wire.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()
let toLockers: Wire
let lockers: ConnectedLockers

/** The responses to opened lockers, in their order: null for a success. */
const openings: (string | null)[] = []

beforeAll(async () => {
  toLockers = await startWire(() => world.service.address)
  toLockers.onPassed = ({ path, response }) => {
    if (path.endsWith('/SimulateLockerAccess')) openings.push(JSON.parse(response).error ?? null)
  }
  const credentials = { clientId: 'acme', clientSecret: 'acme-secret' }
  lockers = await connectLockers({ baseUrl: toLockers.address, ...credentials, client: world.client })
})

afterAll(async () => {
  await lockers?.stop()
  await toLockers?.stop()
})

test.each([
  ['on-time-', []],
  ['wrong-code-', ['InvalidAccessCode']],
])('a case %s… of a service that runs elsewhere plays itself', async (beginning, refusals) => {
  const caseNo = `${beginning}${randomUUID()}`
  openings.length = 0
  world.cases.set(caseNo, 1)
  const request = { ...parcel, ToUserUid: await lockers.people.create('kim') }
  await world.flows.startAndWaitForBooking('issue', { caseNo, request })
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  // The dispatcher drops the item off, and the user comes to pick it up.
  await expect.poll(() => openings).toEqual([null, ...refusals, null])
})
