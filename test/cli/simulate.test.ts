import { afterAll, beforeAll, expect, test } from 'vitest'
import { runVerb, startVerb } from '../support/command/verbs.ts'
import { createWorld } from '../support/world/createWorld.ts'
import type { ServiceWorld } from '../support/world/serviceWorld.ts'

let world: ServiceWorld
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  world = await createWorld()
  const address = `http://127.0.0.1:${world.service.port}`
  environment = { LOCKERFLOW_BASE_URL: address, LOCKERFLOW_AUTH_URL: address }
})

afterAll(() => world.stop())

async function statesOf(referenceCaseNo: string): Promise<readonly string[]> {
  const { items } = await world.call('GetShipments', { referenceCaseNo })
  return items.map(({ stateCode }) => stateCode)
}

test('seeds accounts and a shipment in each situation, once', async () => {
  const { values, lines } = await runVerb(environment, 'seed', '--pick-up-point', 'shared')
  expect(lines).toHaveLength(7)
  expect(values).toMatchObject([{ pupUid: 'shared', shipments: [{ created: true }, {}, {}, { created: true }] }])
  expect(await statesOf('SEED-STOCK-1')).toEqual(['WaitForReceiver'])
  expect(await statesOf('SEED-ISSUE')).toEqual(['ReadyForPickup'])
  expect(await statesOf('SEED-INTAKE')).toEqual(['ReadyForDropOff'])
  const again = await runVerb(environment, 'seed', '--pick-up-point', 'shared')
  expect(again.values).toMatchObject([{ shipments: [{ created: false }, {}, {}, { created: false }] }])
  expect(await statesOf('SEED-STOCK-1')).toHaveLength(1)
})

test('opens a locker as the person for whom it waits, and refuses the others', async () => {
  await runVerb(environment, 'seed', '--pick-up-point', 'shared')
  const wrong = startVerb(environment, 'simulate', 'SEED-ISSUE', '--wrong-code')
  const refused = await wrong.ended
  expect(refused).toMatchObject({ code: 'InvalidAccessCode', exitCode: 1, requestId: expect.any(String) })
  expect(world.service.lines.filter(({ requestId }) => requestId === refused?.requestId)).toMatchObject([
    { operation: 'SimulateLockerAccess', errorCode: 'InvalidAccessCode' },
  ])
  const dropOff = startVerb(environment, 'simulate', 'SEED-ISSUE', 'dropOff')
  expect(await dropOff.ended).toMatchObject({
    exitCode: 1,
    message: expect.stringContaining('waits for dropOff. It has'),
  })
  const { values } = await runVerb(environment, 'simulate', 'SEED-ISSUE')
  expect(values).toMatchObject([{ action: 'pickUp', before: 'ReadyForPickup', after: 'Completed' }])
  expect(await startVerb(environment, 'simulate', 'none').ended).toMatchObject({
    message: expect.stringContaining('This case or shipment does not exist.'),
    remedy: expect.stringMatching(/^Wait for the booking with --wait 20s, or see/),
  })
  expect(await startVerb(environment, 'simulate', 'none', '--wait', '1ms').ended).toMatchObject({
    remedy: expect.stringMatching(/^Wait longer than --wait 1ms, or see/),
  })
  expect(await startVerb(environment, 'simulate', 'none', 'push').ended).toMatchObject({ exitCode: 2 })
})

test('waits for a booking that is made meanwhile', async () => {
  const waiting = startVerb(environment, 'simulate', 'S-1', 'dropOff', '--wait', '20s')
  const playing = startVerb(environment, 'simulate', 'journey', 'S-2', '--wait', '2s')
  await waiting.note(/^simulate: waits up to 20s until a locker of S-1 is ready for dropOff$/)
  await playing.note(/^journey: waits up to 2 s until a locker of S-2 is ready$/)
  const request = {
    AllowLargerLockers: true,
    AllowOverflowLockers: true,
    Dimension: { width: 1, height: 1, length: 1 },
  }
  await world.call('CreateLocalShipmentAsStock', { ...request, PupUid: 'shared', Details: { ReferenceCaseNo: 'S-1' } })
  expect(await waiting.ended).toBeUndefined()
  expect(await statesOf('S-1')).toEqual(['WaitForReceiver'])
})

test('plays the story of a swap to its end, and leaves stock in its locker', async () => {
  await runVerb(environment, 'seed', '--pick-up-point', 'shared')
  const { items } = await world.call('GetShipments', { referenceCaseNo: 'SEED-STOCK-2' })
  const [account] = (await runVerb(environment, 'seed')).values as { users: { Robin: string } }[]
  await world.call('CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock', {
    PriorShipmentUid: items[0]?.shipmentUid ?? '',
    ToUserUid: account?.users.Robin ?? '',
    Issue: { ReferenceCaseNo: 'J-1' },
    Return: { ReferenceCaseNo: 'J-1' },
    Details: { ReferenceCaseNo: 'J-1' },
  })
  const { values } = await runVerb(environment, 'simulate', 'journey', 'J-1', '--settle', '500ms')
  expect(values.slice(0, -1)).toMatchObject([{ action: 'pickUp' }, { action: 'dropOff' }])
  expect((await statesOf('J-1')).toSorted()).toEqual(['Completed', 'Completed', 'ReadyForPickup'])
  const over = startVerb(environment, 'simulate', 'journey', 'J-1', '--wait', '1ms')
  expect(await over.ended).toMatchObject({ exitCode: 1, message: expect.stringContaining('No locker of J-1 is ready') })
})
