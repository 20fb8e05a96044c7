import { setTimeout } from 'node:timers/promises'
import { NativeConnection } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { toWorkflowId } from '#flows'
import { findRouting } from '../../../worker/deployment.ts'
import { toCaseNo } from '../../../worker/promotion/openFlows.ts'
import { reportedFlows, reportedOn } from '../../../worker/promotion/reportedProblems.ts'
import { endRamp, setRamp } from '../../../worker/promotion/routing.ts'
import { eventually } from '../../support/eventually.ts'
import { type Builds, createBuilds } from '../../support/flows/builds.ts'
import { type ChangedBundle, failingBundle, incompatibleBundle } from '../../support/flows/changedBundle.ts'
import { expectCompleted, isBack, rampTo, routingOf, startBuild, untilListed } from '../../support/flows/ramps.ts'
import { startFor, type Underway } from '../../support/flows/underway.ts'
import { startGrpcRelay } from '../../support/servers/grpcRelay.ts'
import { measureSlowness } from '../../support/slowness.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { bundle } from '../../support/world/bundle.ts'

const loan = 'issueFromStockAndSubsequentIntakeAndCircularStock'
/** Milliseconds. */
const minute = 60_000
/** gRPC status PERMISSION_DENIED, which the SDK does not try again. */
const denied = 7

let builds: Builds
let good: ChangedBundle

beforeAll(async () => {
  builds = await createBuilds()
  good = await bundle()
  await builds.start('good', good)
})

afterAll(() => builds.stop())

/** A build whose every workflow task fails. */
function failing({ code }: ChangedBundle): ChangedBundle {
  const head = 'function runFlow(runtime, input, continuedFrom) {'
  if (!code.includes(head)) throw new Error(`The bundle must contain ${head}`)
  return { code: code.replace(head, `${head} throw new Error('a bad build');`) }
}

const routing = () => routingOf(builds)

/** Ramps until a signal, sent when flows have begun on the build. */
async function rampAndInterrupt(buildId: string, code: ChangedBundle, begin: () => Promise<void>) {
  const interruption = new AbortController()
  const ramping = rampTo(builds, buildId, code, { steps: [100], watch: minute, signal: interruption.signal })
  // Its failure is that of the test, which may wait for the routing in vain before it.
  ramping.catch(() => undefined)
  await eventually(async () => (await routing()).percentage === 100)
  await begin()
  interruption.abort()
  return ramping
}

// One story: each test goes on from the one before.
describe('a ramp', () => {
  test('is refused without a current build', async () => {
    await vi.waitFor(async () => {
      const { outcome, objections } = await rampTo(builds, 'good', good)
      expect(outcome).toBe('refused')
      expect(objections).toEqual([{ reason: expect.stringContaining('no current build'), cases: [] }])
    })
    expect((await builds.promote('good', good)).objections).toEqual([])
  })

  test('waits until Temporal has recorded the build', async () => {
    const { connection, deploymentName } = builds
    const { taskQueue } = builds.world
    const target = { connection, namespace: inject('temporal').namespace, taskQueue }
    const build = { deploymentName, buildId: 'late' }
    const found = await findRouting(connection, target.namespace, deploymentName)
    if (found === undefined) throw new Error('The deployment must have a current build')
    const setting = setRamp(target, build, 5, found)
    setting.catch(() => undefined)
    const worker = await builds.start('late', good)
    await setting
    expect(await routing()).toMatchObject({ ramping: 'late', percentage: 5 })
    await endRamp(target, build)
    await worker.stop()
  })

  test.each([
    ['first', async () => failing(good)],
    // The flow is pinned to the build by then.
    ['second', failingBundle],
  ])(
    'of a build whose %s task of a flow fails goes back within a minute and strands no flow',
    async (task, make) => {
      const buildId = `bad-${task}`
      await startBuild(builds, buildId, await make())
      const before = await startFor(builds.world, loan)
      const slowness = measureSlowness()
      const began = Date.now()
      let isOver = false
      const ramping = rampTo(builds, buildId, good, { steps: [50, 100], watch: 10 * minute, interval: 1_000 }).finally(
        () => {
          isOver = true
        },
      )
      await eventually(async () => (await routing()).percentage === 50)
      const cases: string[] = []
      while (!isOver && cases.length < 60) {
        const caseNo = builds.world.newCase()
        await builds.world.flows.start('stock', { caseNo, request: parcel })
        cases.push(caseNo)
        // Enough that one of them comes to the build; then few, since each is moved and described.
        await setTimeout(cases.length < 16 ? 50 : 2_000)
      }
      const { outcome, fault, steps, rolledBack } = await ramping
      const slower = slowness()
      expect({ outcome, steps }).toEqual({ outcome: 'rolledBack', steps: [50] })
      expect(fault).toMatch(/^workflow tasks fail: T-/)
      expect(rolledBack).toMatchObject({ left: [] })
      expect(await routing()).toEqual({ current: 'good', ramping: undefined, percentage: undefined })
      expect((Date.parse(rolledBack?.routedAt ?? '') - began) / slower).toBeLessThan(minute)
      for (const caseNo of cases) {
        await isBack(builds, { caseNo })
        await builds.world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
        expect(await builds.whereIs(caseNo)).toEqual({ buildId: 'good', pinned: true })
      }
      const ended = await Promise.all(cases.map(caseNo => builds.world.flows.cancel(caseNo, 'over')))
      expect(new Set(ended.map(({ kind }) => kind))).toEqual(new Set(['Cancelled']))
      await expectCompleted(builds, before)
    },
    300_000,
  )

  test('counts the failing flows of its build, and not those of another one or from before', async () => {
    const { connection, deploymentName, world } = builds
    const target = { connection, namespace: inject('temporal').namespace, taskQueue: world.taskQueue }
    const failingOn = async (buildId: string, ...before: readonly string[]) =>
      (await reportedOn(target, { deploymentName, buildId }, new Set(before))).map(toCaseNo).toSorted()
    /** Starts a flow on a build, and waits until Temporal reports it. */
    async function startOn(buildId: string, booked: number): Promise<string> {
      const found = await findRouting(connection, target.namespace, deploymentName)
      if (found === undefined) throw new Error('The deployment must have a current build')
      await setRamp(target, { deploymentName, buildId }, 100, found)
      const caseNo = world.newCase(booked)
      await world.flows.start('stock', { caseNo, request: parcel })
      await eventually(async () => (await failingOn(buildId)).includes(caseNo), minute)
      return caseNo
    }

    const other = await startOn('bad-second', 1)
    await endRamp(target, { deploymentName, buildId: 'bad-second' })
    const cases = [await startOn('bad-first', 0), await startOn('bad-first', 0)]
    expect(await failingOn('bad-first')).toEqual(cases.toSorted())
    expect(await failingOn('bad-second')).toEqual([other])
    const [first] = await reportedFlows(target)
    expect(await failingOn('bad-first', first?.runId ?? '')).toEqual(cases.slice(0, 1))
    await endRamp(target, { deploymentName, buildId: 'bad-first' })
    for (const caseNo of [other, ...cases])
      await world.client.workflow.getHandle(toWorkflowId(caseNo)).terminate('over')
    await eventually(async () => (await reportedFlows(target)).length === 0)
  })

  test('that is interrupted moves its flows to the current build, where they complete', async () => {
    await startBuild(builds, 'same', good)
    const flows: Underway[] = []
    const { outcome, fault, rolledBack } = await rampAndInterrupt('same', good, async () => {
      flows.push(await startFor(builds.world, 'issue'), await startFor(builds.world, loan))
      for (const { caseNo } of flows) expect(await builds.whereIs(caseNo)).toMatchObject({ buildId: 'same' })
      await untilListed(builds, 'same', flows)
    })
    expect({ outcome, fault }).toEqual({ outcome: 'rolledBack', fault: 'the promotion was interrupted' })
    expect(rolledBack?.moved.toSorted()).toEqual(flows.map(({ caseNo }) => caseNo).toSorted())
    expect(rolledBack).toMatchObject({ reset: [], left: [] })
    for (const flow of flows) await expectCompleted(builds, flow)
  })

  test('resets flows that the current build does not replay; nothing is booked twice', async () => {
    const other = await incompatibleBundle()
    await startBuild(builds, 'other', other)
    const flows: Underway[] = []
    const { rolledBack } = await rampAndInterrupt('other', other, async () => {
      flows.push(await startFor(builds.world, 'issue'), await startFor(builds.world, loan))
      for (const { caseNo } of flows) expect(await builds.whereIs(caseNo)).toMatchObject({ buildId: 'other' })
      await untilListed(builds, 'other', flows)
    })
    expect(rolledBack?.reset.toSorted()).toEqual(flows.map(({ caseNo }) => caseNo).toSorted())
    expect(rolledBack).toMatchObject({ moved: [], left: [] })
    for (const flow of flows) await expectCompleted(builds, flow)
  })

  test('goes back if Temporal does not answer', async () => {
    let changes = 0
    let refused = false
    const relay = await startGrpcRelay(inject('temporal').address, {
      refuse(method) {
        // The first look of the step. The way back lists flows too.
        if (method !== 'ListWorkflowExecutions' || changes === 0 || refused) return undefined
        refused = true
        return denied
      },
      async after(method) {
        if (method === 'SetWorkerDeploymentRampingVersion') changes++
      },
    })
    const connection = await NativeConnection.connect({ address: relay.address })
    onTestFinished(async () => {
      await connection.close()
      await relay.stop()
    })
    const report = await rampTo({ ...builds, connection }, 'same', good)
    expect(report).toMatchObject({ outcome: 'rolledBack', steps: [50], rolledBack: { left: [] } })
    expect(report.fault).toMatch(/^Temporal does not answer: .*refused by the relay/)
    expect(await routing()).toEqual({ current: 'good', ramping: undefined, percentage: undefined })
  })
})
