import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, inject, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { type RunningWorker, startWorker } from '#worker'
import { bundle } from '../flows/bundle.ts'
import { eventually, gate } from '../flows/eventually.ts'
import { useWorld } from '../flows/useWorld.ts'
import { startProcess } from '../flows/workerProcess.ts'
import { parcel } from '../flows/world.ts'
import { pass } from '../wire/wire.ts'

const world = useWorld()
let doomed: RunningWorker

// The worker of the world takes over afterwards.
beforeEach(async () => {
  await world.stopWorker()
  const { address, namespace } = inject('temporal')
  doomed = await startWorker({
    temporal: { address },
    namespace,
    taskQueue: world.taskQueue,
    environment: 'staging',
    api: world.apiSettings,
    profile: fullProfile,
    looks: { first: 3_600_000, longest: 86_400_000 },
    bundle: await bundle(),
  })
})

/** Milliseconds that the stop took; a worker may say that it did not stop cleanly, but it has to be over. */
async function stopped(): Promise<number> {
  const start = performance.now()
  const over = doomed.stop().catch(() => undefined)
  await Promise.race([over, sleep(15_000)])
  return performance.now() - start
}

function createsOf(caseNo: string): number {
  return world.toService.passings.filter(({ path, body }) => path.includes('/CreateLocal') && body.includes(caseNo))
    .length
}

test.each([
  ['the first attempt', 1],
  ['an attempt with patience', 2],
])(
  'a worker with a create hanging in %s is stopped within ten seconds',
  async (_, attempt) => {
    const caseNo = world.newCase()
    const answered = gate()
    world.toService.rule = ({ path, body }) =>
      path.includes('/CreateLocal') && body.includes(caseNo) ? { kind: 'answerLater', until: answered.opened } : pass
    await world.flows.start('stock', { caseNo, request: parcel })
    await eventually(() => createsOf(caseNo) >= attempt)
    const took = await stopped()

    // Whatever became of it, the next worker goes on and books nothing twice.
    answered.open()
    world.toService.rule = () => pass
    await world.restartWorker()
    const booking = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel }, { deadline: 60_000 })
    expect(booking).toMatchObject({ kind: 'Booked' })
    await world.flows.cancel(caseNo, 'over')
    expect(took).toBeLessThan(10_500)
  },
  120_000,
)

test('a worker process with a create hanging is gone within ten seconds of being told to stop', async () => {
  await doomed.stop()
  const caseNo = world.newCase()
  const answered = gate()
  const child = await startProcess(world)
  world.toService.rule = ({ path, body }) =>
    path.includes('/CreateLocal') && body.includes(caseNo) ? { kind: 'answerLater', until: answered.opened } : pass
  await world.flows.start('stock', { caseNo, request: parcel })
  await eventually(() => createsOf(caseNo) > 0)
  const start = performance.now()
  child.kill('SIGTERM')
  const gone = once(child, 'exit')
  await Promise.race([gone, sleep(15_000)])
  const took = performance.now() - start

  child.kill('SIGKILL')
  await gone
  answered.open()
  world.toService.rule = () => pass
  await world.restartWorker()
  const booking = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel }, { deadline: 60_000 })
  expect(booking).toMatchObject({ kind: 'Booked' })
  await world.flows.cancel(caseNo, 'over')
  // Some of it is taken by the process itself on a slow machine.
  expect(took).toBeLessThan(11_000)
}, 120_000)

test('a worker with nothing to do stops at once, and stopping it twice is one stop', async () => {
  const start = performance.now()
  await Promise.all([doomed.stop(), doomed.stop()])
  await doomed.ended
  expect(performance.now() - start).toBeLessThan(3_000)
  await world.restartWorker()
})
