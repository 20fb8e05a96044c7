import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Duration } from '#flows'
import { findRouting } from '../../../worker/deployment.ts'
import { countFlows } from '../../../worker/promotion/figures.ts'
import type { RampReport } from '../../../worker/promotion/ramp.ts'
import { setRamp } from '../../../worker/promotion/routing.ts'
import { eventually } from '../../support/eventually.ts'
import { type Builds, createBuilds } from '../../support/flows/builds.ts'
import type { ChangedBundle } from '../../support/flows/changedBundle.ts'
import { expectCompleted, isBack, rampTo, routingOf, startBuild, untilPolled } from '../../support/flows/ramps.ts'
import { startFor, type Underway } from '../../support/flows/underway.ts'
import { measureSlowness } from '../../support/slowness.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { bundle } from '../../support/world/bundle.ts'
import { startProcess } from '../../support/world/workerProcess.ts'

const loan = 'issueFromStockAndSubsequentIntakeAndCircularStock'
/** Milliseconds. */
const minute = 60_000

let builds: Builds
let good: ChangedBundle
let worker: ChildProcess | undefined

beforeAll(async () => {
  builds = await createBuilds()
  good = await bundle()
  await startBuild(builds, 'before', good)
  expect((await builds.promote('before', good)).objections).toEqual([])
})

afterAll(async () => {
  worker?.kill('SIGKILL')
  await builds.stop()
})

/** A build whose windows are much too short. No task of it fails. */
function hasty({ code }: ChangedBundle): ChangedBundle {
  const end = 'now + window.length'
  if (!code.includes(end)) throw new Error(`The bundle must contain ${end}`)
  return { code: code.replace(end, 'now + 3000') }
}

async function start(booked: number, more: object = {}, windows: Record<string, Duration> = {}): Promise<string> {
  const caseNo = builds.world.newCase(booked)
  const request = { ...parcel, ...more }
  await builds.world.flows.startAndWaitForBooking('stock', { caseNo, request, windows })
  return caseNo
}

/** Starts flows of which four are refused, four become overdue and four wait. Returns the open ones. */
async function startMixture(): Promise<string[]> {
  const started = Array.from({ length: 4 }, async () => {
    await start(0, { PupUid: 'unknown' })
    return [await start(1), await start(1, {}, { dropOff: '1s' })]
  })
  return (await Promise.all(started)).flat()
}

/** Starts flows until a ramp ends. Returns them. */
async function startDuring(ramping: Promise<RampReport>): Promise<string[]> {
  const cases: string[] = []
  let isOver = false
  const end = () => {
    isOver = true
  }
  ramping.then(end, end)
  while (!isOver && cases.length < 60) {
    const caseNo = builds.world.newCase()
    await builds.world.flows.start('stock', { caseNo, request: parcel })
    cases.push(caseNo)
    // Enough to prove the fault; then few, since each is moved and described.
    await setTimeout(cases.length < 16 ? 50 : 2_000)
  }
  return cases
}

async function cancelAll(cases: readonly string[]): Promise<void> {
  const ended = await Promise.all(cases.map(caseNo => builds.world.flows.cancel(caseNo, 'over')))
  expect(ended.filter(({ kind }) => kind !== 'Cancelled')).toEqual([])
}

/** No flow is stranded: each waits for its item on the current build, is not overdue, and can be cancelled. */
async function expectBack(cases: readonly string[]): Promise<void> {
  expect(cases.length).toBeGreaterThan(0)
  for (const caseNo of cases) {
    await isBack(builds, { caseNo })
    await builds.world.statusWhen(caseNo, ({ stage, state }) => stage === 'dropOff' && state === 'waiting')
    expect(await builds.whereIs(caseNo)).toEqual({ buildId: 'good', pinned: true })
  }
  await cancelAll(cases)
}

// One story: each test goes on from the one before.
describe('a ramp', () => {
  test('goes on while refused and overdue flows stay as they were', async () => {
    const { connection, deploymentName, world } = builds
    const target = { connection, namespace: inject('temporal').namespace, taskQueue: world.taskQueue }
    const build = { deploymentName, buildId: 'good' }
    await startBuild(builds, 'good', good)
    const open = await startMixture()
    const found = await findRouting(connection, target.namespace, deploymentName)
    if (found === undefined) throw new Error('The deployment must have a current build')
    const since = new Date()
    // The ramp goes on from here, so its first measurement has all flows.
    await setRamp(target, build, 100, found)
    open.push(...(await startMixture()))
    const mixture = { started: 12, refused: 4, overdue: 4 }
    await eventually(async () => {
      const counted = await countFlows(target, build, since)
      return counted.started === 12 && counted.refused === 4 && counted.overdue === 4
    }, minute)
    const { outcome, steps } = await rampTo(builds, 'good', good, { steps: [100] })
    expect(outcome).toBe('promoted')
    expect(steps).toMatchObject([{ percentage: 100, measured: { build: mixture, current: mixture } }])
    expect(await routingOf(builds)).toEqual({ current: 'good', ramping: undefined, percentage: undefined })
    await cancelAll(open)
  })

  test('of a build that makes flows overdue goes back within a minute and strands no flow', async () => {
    const bad = hasty(good)
    await startBuild(builds, 'hasty', bad)
    const slowness = measureSlowness()
    const began = Date.now()
    const ramping = rampTo(builds, 'hasty', bad, { watch: 10 * minute, interval: 5_000 })
    ramping.catch(() => undefined)
    await eventually(async () => (await routingOf(builds)).percentage === 50)
    const cases = await startDuring(ramping)
    const { outcome, fault, rolledBack } = await ramping
    const slower = slowness()
    expect(outcome).toBe('rolledBack')
    expect(fault).toMatch(/^\d+ of \d+ flows are overdue, 0 of \d+ on the current build$/)
    expect(rolledBack).toMatchObject({ left: [] })
    // They were overdue on the build, which the current one does not replay.
    expect(rolledBack?.reset.length).toBeGreaterThan(2)
    expect(await routingOf(builds)).toEqual({ current: 'good', ramping: undefined, percentage: undefined })
    expect((Date.parse(rolledBack?.routedAt ?? '') - began) / slower).toBeLessThan(minute)
    await expectBack(cases)
  })

  test('during which the workers of the build die goes back within a minute and strands no flow', async () => {
    worker = await startProcess(builds.world, {
      LOCKERFLOW_DEPLOYMENT: builds.deploymentName,
      LOCKERFLOW_BUILD_ID: 'dying',
    })
    await untilPolled(builds, 'dying', good)
    const ramping = rampTo(builds, 'dying', good, { steps: [100], watch: 10 * minute, interval: 5_000 })
    ramping.catch(() => undefined)
    await eventually(async () => (await routingOf(builds)).percentage === 100)
    const underway: Underway[] = [await startFor(builds.world, 'issue'), await startFor(builds.world, loan)]
    for (const { caseNo } of underway) expect(await builds.whereIs(caseNo)).toMatchObject({ buildId: 'dying' })
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    const slowness = measureSlowness()
    const died = Date.now()
    const cases = await startDuring(ramping)
    const { outcome, fault, rolledBack } = await ramping
    const slower = slowness()
    expect({ outcome, fault }).toEqual({
      outcome: 'rolledBack',
      fault: expect.stringMatching(/^no worker has taken a task for \d+ s$/),
    })
    expect(rolledBack).toMatchObject({ left: [] })
    expect(await routingOf(builds)).toEqual({ current: 'good', ramping: undefined, percentage: undefined })
    expect((Date.parse(rolledBack?.routedAt ?? '') - died) / slower).toBeLessThan(minute)
    for (const flow of underway) await expectCompleted(builds, flow)
    await expectBack(cases)
  }, 300_000)
})
