import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, inject, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { type RunningWorker, startWorker } from '#worker'
import { pass } from '../../testing/stack/wire.ts'
import { eventually, gate } from '../support/eventually.ts'
import { assembly, workshopActivities } from '../support/flows/workshop.ts'
import { measureSlowness } from '../support/slowness.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { workerSettings } from '../support/world/settings.ts'
import { useWorld } from '../support/world/useWorld.ts'
import { startProcess } from '../support/world/workerProcess.ts'

const world = useWorld()
let doomed: RunningWorker

// The worker of the world takes over afterwards.
beforeEach(async () => {
  await world.stopWorker()
  doomed = await startWorker(await workerSettings(inject('temporal'), world.taskQueue, world.apiSettings))
})

/** Milliseconds that the stop took on an idle machine. The worker may report an unclean stop, but it must end. */
async function stopped(): Promise<number> {
  const slowness = measureSlowness()
  const start = performance.now()
  const over = doomed.stop().catch(() => undefined)
  await Promise.race([over, sleep(60_000)])
  return (performance.now() - start) / slowness()
}

function createsOf(caseNo: string): number {
  return world.toService.passings.filter(({ path, body }) => path.includes('/CreateLocal') && body.includes(caseNo))
    .length
}

test.each([
  ['the first attempt', 1],
  ['an attempt with patience', 2],
])('a worker with a create hanging in %s is stopped within ten seconds', async (_, attempt) => {
  const caseNo = world.newCase()
  const answered = gate()
  world.toService.rule = ({ path, body }) =>
    path.includes('/CreateLocal') && body.includes(caseNo) ? { kind: 'answerLater', until: answered.opened } : pass
  await world.flows.start('stock', { caseNo, request: parcel })
  await eventually(() => createsOf(caseNo) >= attempt)
  const took = await stopped()

  // In either case the next worker continues the flow, and books nothing twice.
  answered.open()
  world.toService.rule = () => pass
  await world.restartWorker()
  const booking = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel }, { timeout: 60_000 })
  expect(booking).toMatchObject({ kind: 'Booked' })
  await world.flows.cancel(caseNo, 'over')
  expect(took).toBeLessThan(10_500)
})

test('a stop says that an activity did not end', async () => {
  await doomed.stop()
  const { activities, printed, state } = workshopActivities()
  const ended = gate()
  state.label = async () => {
    await ended.opened
    return { labelNo: 'L-1' }
  }
  const settings = await workerSettings(inject('temporal'), world.taskQueue, world.apiSettings)
  doomed = await startWorker({ ...settings, flows: [assembly], activities })
  const caseNo = world.newCase(0)
  const options = { workflowId: toWorkflowId(caseNo), taskQueue: world.taskQueue }
  await world.client.workflow.start('assembly', { ...options, args: [{ caseNo, request: {} }] })
  await eventually(() => printed.length > 0)
  const text = 'Activities did not end within 8 s of the stop. Temporal retries each one after its heartbeat, or else'
  await expect(doomed.stop()).rejects.toThrow(text)
  ended.open()
  await world.client.workflow.getHandle(toWorkflowId(caseNo)).terminate()
  await world.restartWorker()
})

test('a worker process with a create hanging exits within ten seconds of SIGTERM', async () => {
  await doomed.stop()
  const caseNo = world.newCase()
  const answered = gate()
  const child = await startProcess(world)
  world.toService.rule = ({ path, body }) =>
    path.includes('/CreateLocal') && body.includes(caseNo) ? { kind: 'answerLater', until: answered.opened } : pass
  await world.flows.start('stock', { caseNo, request: parcel })
  await eventually(() => createsOf(caseNo) > 0)
  const slowness = measureSlowness()
  const start = performance.now()
  child.kill('SIGTERM')
  const gone = once(child, 'exit')
  await Promise.race([gone, sleep(60_000)])
  const took = (performance.now() - start) / slowness()

  child.kill('SIGKILL')
  await gone
  answered.open()
  world.toService.rule = () => pass
  await world.restartWorker()
  const booking = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel }, { timeout: 60_000 })
  expect(booking).toMatchObject({ kind: 'Booked' })
  await world.flows.cancel(caseNo, 'over')
  // Some of it is taken by the process itself on a slow machine.
  expect(took).toBeLessThan(11_000)
})

test('a worker whose create has no response yet after its attempt stops immediately', async () => {
  const caseNo = world.newCase()
  const answered = gate()
  world.toService.rule = ({ path, body }) =>
    path.includes('/CreateLocal') && body.includes(caseNo) && createsOf(caseNo) <= 1
      ? { kind: 'answerLater', until: answered.opened }
      : pass
  expect(await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })).toMatchObject({
    kind: 'Booked',
  })
  const slowness = measureSlowness()
  const start = performance.now()
  await doomed.stop()
  await doomed.ended
  const took = (performance.now() - start) / slowness()

  answered.open()
  world.toService.rule = () => pass
  await world.restartWorker()
  expect(await world.shipmentsOf(caseNo)).toHaveLength(1)
  await world.flows.cancel(caseNo, 'over')
  expect(took).toBeLessThan(5_000)
})

test('an idle worker stops immediately, and stopping it twice has the effect of once', async () => {
  const slowness = measureSlowness()
  const start = performance.now()
  await Promise.all([doomed.stop(), doomed.stop()])
  await doomed.ended
  expect((performance.now() - start) / slowness()).toBeLessThan(3_000)
  await world.restartWorker()
})
