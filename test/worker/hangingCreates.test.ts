import { afterEach, beforeEach, expect, test } from 'vitest'
import { pass } from '../../testing/stack/wire.ts'
import { eventually, gate } from '../support/eventually.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()
const hanging = 3
let answered: ReturnType<typeof gate>

// One slot more than flows that hang.
beforeEach(async () => {
  answered = gate()
  await world.restartWorker({ maxConcurrentActivities: hanging + 1 })
})

afterEach(async () => {
  answered.open()
  world.toService.rule = () => pass
  await world.restartWorker()
})

function createsOf(caseNos: readonly string[]): number {
  return world.toService.passings.filter(
    ({ path, body }) => path.includes('/CreateLocal') && caseNos.some(caseNo => body.includes(caseNo)),
  ).length
}

test('creates without a response hold one slot each, so other flows book meanwhile', async () => {
  const caseNos = Array.from({ length: hanging }, () => world.newCase())
  world.toService.rule = ({ path, body }) =>
    path.includes('/CreateLocal') && caseNos.some(caseNo => body.includes(caseNo))
      ? { kind: 'answerLater', until: answered.opened }
      : pass
  for (const caseNo of caseNos) await world.flows.start('stock', { caseNo, request: parcel })
  // The first attempts and one more at least have no response.
  await eventually(() => createsOf(caseNos) > hanging)

  const booked = { caseNo: world.newCase(), request: parcel }
  expect(await world.flows.startAndWaitForBooking('stock', booked, { timeout: 60_000 })).toMatchObject({
    kind: 'Booked',
  })
  answered.open()
  for (const caseNo of caseNos)
    expect(await world.flows.waitForBooking(caseNo, { timeout: 60_000 })).toMatchObject({ kind: 'Booked' })
  for (const caseNo of [...caseNos, booked.caseNo]) expect(await world.shipmentsOf(caseNo)).toHaveLength(1)
  for (const caseNo of [...caseNos, booked.caseNo]) await world.flows.cancel(caseNo, 'over')
})
