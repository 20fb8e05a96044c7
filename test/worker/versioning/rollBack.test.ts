import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { toRollBackReport } from '../../../worker/promotion/report.ts'
import { type RollBack, rollBackBuild } from '../../../worker/promotion/rollBack.ts'
import { eventually } from '../../support/eventually.ts'
import { type Builds, createBuilds } from '../../support/flows/builds.ts'
import { type ChangedBundle, incompatibleBundle } from '../../support/flows/changedBundle.ts'
import { expectCompleted, rampTo, routingOf, startBuild, untilListed } from '../../support/flows/ramps.ts'
import { startFor, type Underway, walk } from '../../support/flows/underway.ts'
import { bundle } from '../../support/world/bundle.ts'

let builds: Builds
let good: ChangedBundle
let other: ChangedBundle

beforeAll(async () => {
  builds = await createBuilds()
  good = await bundle()
  other = await incompatibleBundle()
  await startBuild(builds, 'good', good)
  expect((await builds.promote('good', good)).objections).toEqual([])
})

afterAll(() => builds.stop())

/** Ramps a build to all flows, starts one there, and interrupts. */
async function startOnRamp(buildId: string, code: ChangedBundle): Promise<{ flow: Underway; rolledBack: RollBack }> {
  const interruption = new AbortController()
  const ramping = rampTo(builds, buildId, code, { steps: [100], watch: 60_000, signal: interruption.signal })
  ramping.catch(() => undefined)
  await eventually(async () => (await routingOf(builds)).percentage === 100)
  const flow = await startFor(builds.world, 'issue')
  expect(await builds.whereIs(flow.caseNo)).toEqual({ buildId, pinned: true })
  await untilListed(builds, buildId, [flow])
  interruption.abort()
  const { rolledBack } = await ramping
  if (rolledBack === undefined) throw new Error('The ramp must have rolled back')
  return { flow, rolledBack }
}

// One story: each test goes on from the one before.
let old: Underway
let moved: Underway

test('a ramp that goes back leaves the flows that were pinned to the build before it', async () => {
  old = await startFor(builds.world, 'issue')
  await startBuild(builds, 'same', good)
  const first = await startOnRamp('same', good)
  moved = first.flow
  expect(first.rolledBack).toMatchObject({ moved: [moved.caseNo], staying: 0 })
  await walk(builds.world, moved, 'pickUp')
  await eventually(async () => (await builds.whereIs(moved.caseNo)).buildId === 'good')

  await startBuild(builds, 'other', other)
  expect((await builds.promote('other', other)).objections).toEqual([])
  const { flow, rolledBack } = await startOnRamp('good', good)
  expect(rolledBack).toMatchObject({ moved: [], reset: [flow.caseNo], left: [], staying: 2 })
  expect(toRollBackReport({ deploymentName: 'd', buildId: 'good' }, rolledBack).at(-1)).toBe(
    '2 open flows pinned to it before the ramp stay, and its workers are needed until then',
  )
  expect(await builds.whereIs(old.caseNo)).toEqual({ buildId: 'good', pinned: true })
  await expectCompleted(builds, old)
  await expectCompleted(builds, flow, 'other')
})

test('a flow that a third build began and the current one does not replay is left where it is', async () => {
  const { connection, deploymentName, world } = builds
  const target = { connection, namespace: inject('temporal').namespace, taskQueue: world.taskQueue }
  const build = { deploymentName, buildId: 'good' }
  // The build is older than the current one, so its flows may have to stay there.
  await expect(rollBackBuild(target, build)).rejects.toThrow(
    /^--roll-back: \S+:good does not ramp, and is older than the current \S+:other, .* its 1 open flow\b.* --yes/,
  )
  expect(await builds.whereIs(moved.caseNo)).toEqual({ buildId: 'good', pinned: true })
  const report = await rollBackBuild(target, build, { movesOlder: true })
  expect(report).toMatchObject({
    moved: [],
    reset: [],
    left: [{ caseNo: moved.caseNo, reason: 'the current build does not replay it' }],
  })
  expect(await builds.whereIs(moved.caseNo)).toEqual({ buildId: 'good', pinned: true })
  // It waits for the second opening.
  const [shipment] = moved.shipments
  if (shipment === undefined) throw new Error('The flow must have a shipment')
  await world.open(shipment, 'pickUpCode')
  expect(await world.flows.result(moved.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  expect(await builds.whereIs(moved.caseNo)).toMatchObject({ buildId: 'good' })
})
