import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { book } from '../../support/flows/booking.ts'
import { isSignedBy } from '../../support/flows/notifications.ts'
import { type Receiver, startReceiver } from '../../support/servers/callbackReceiver.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()
const [oldKey, newKey] = ['the-old-key-of-thirty-two-characters', 'the-new-key-of-thirty-two-characters']

let receiver: Receiver
let acceptedKey = oldKey
let rejected = 0

beforeAll(async () => {
  receiver = await startReceiver()
  receiver.answer(message => {
    if (isSignedBy(acceptedKey, message)) return { status: 204 }
    rejected++
    return { status: 401 }
  })
})

afterAll(() => receiver.stop())

/** Books and cancels until `rotated` is set, and returns the case numbers. Each flow sends one notification: its end. */
async function load(rotated: () => boolean): Promise<string[]> {
  const cases: string[] = []
  while (!rotated() || cases.length < 3) {
    const { caseNo } = await book(world, 'issue')
    await world.flows.cancel(caseNo, 'over')
    cases.push(caseNo)
  }
  return cases
}

function isDelivered(caseNo: string): boolean {
  return receiver.received.some(({ body }) => body.includes(`"caseNo":"${caseNo}"`))
}

/** Waits for further notifications. */
async function received(more: number): Promise<void> {
  const before = receiver.received.length
  await eventually(() => receiver.received.length >= before + more)
}

test('the key of notifications is replaced while flows send them, and no receiver rejects one', async () => {
  const { url } = receiver
  await world.restartWorker({ notifications: { url, key: oldKey } })
  let rotated = false
  const loads = Array.from({ length: 3 }, () => load(() => rotated))
  await received(3)
  await world.restartWorker({ notifications: { url, key: newKey, previousKey: oldKey } })
  await received(3)
  acceptedKey = newKey
  await received(3)
  await world.restartWorker({ notifications: { url, key: newKey } })
  await received(3)

  rotated = true
  const cases = (await Promise.all(loads)).flat()
  await eventually(() => cases.every(isDelivered))
  const [first, last] = [receiver.received.at(0), receiver.received.at(-1)]
  expect([first, last].map(message => message && isSignedBy(oldKey, message))).toEqual([true, false])
  expect(rejected).toBe(0)
})
