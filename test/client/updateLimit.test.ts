import { expect, test } from 'vitest'
import { book } from '../support/flows/booking.ts'
import { useOwnTemporal } from '../support/world/ownTemporal.ts'
import { useWorld } from '../support/world/useWorld.ts'

// By itself, a flow continues as new before its run has had as many updates as Temporal allows.
const limits = ['history.maxTotalUpdates=2', 'history.maxTotalUpdates.suggestContinueAsNewThreshold=10.0']
const world = useWorld({}, useOwnTemporal(limits))

test('a run that has had all its updates refuses another one at once, and can be cancelled', async () => {
  const { caseNo } = await book(world, 'stock')
  const { flows } = world
  const wait = () => flows.waitForBooking(caseNo, { timeout: 60_000 })
  await wait()
  const startedAt = performance.now()
  const refused = await wait()
    .then(wait)
    .catch((error: unknown) => error)
  expect(performance.now() - startedAt).toBeLessThan(30_000)
  expect(refused).toMatchObject({ code: 'TemporalLimitReached', message: expect.stringContaining('updates') })
  expect(await flows.cancel(caseNo, 'over')).toMatchObject({ kind: 'CancelPending' })
  expect(await flows.waitForEnd(caseNo)).toMatchObject({ result: { outcome: 'cancelled' } })
})
