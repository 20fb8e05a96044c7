import { expect, inject, vi } from 'vitest'
import { toWorkflowId } from '#flows'
import { findRouting, toVersionName } from '../../../worker/deployment.ts'
import { attributes } from '../../../worker/promotion/openFlows.ts'
import { type RampInput, type RampReport, ramp } from '../../../worker/promotion/ramp.ts'
import { eventually } from '../eventually.ts'
import type { Builds } from './builds.ts'
import type { ChangedBundle } from './changedBundle.ts'
import { type Underway, walk } from './underway.ts'

/** Milliseconds. */
const minute = 60_000

/** The routing of a deployment: its current build, and the one that ramps. */
export async function routingOf({ connection, deploymentName }: Builds) {
  const found = await findRouting(connection, inject('temporal').namespace, deploymentName)
  return { current: found?.current?.buildId, ramping: found?.ramp?.build.buildId, percentage: found?.ramp?.percentage }
}

/** Starts a worker of a build, and waits until Temporal lists it. */
export async function startBuild(
  builds: Builds,
  buildId: string,
  code: ChangedBundle,
  own?: Parameters<Builds['start']>[2],
) {
  const worker = await builds.start(buildId, code, own)
  await vi.waitFor(async () => {
    const { objections } = await builds.promote(buildId, code, { onlyCheck: true })
    if (objections.some(({ reason }) => reason.includes('polls'))) throw new Error(`no worker of ${buildId} polls`)
  })
  return worker
}

/** Ramps a build with short steps. */
export function rampTo(
  { connection, deploymentName, world }: Builds,
  buildId: string,
  code: ChangedBundle,
  how: Partial<RampInput> = {},
): Promise<RampReport> {
  const { namespace } = inject('temporal')
  const build = { deploymentName, buildId }
  const input = { connection, namespace, taskQueue: world.taskQueue, build, bundle: code, queryTimeout: 10_000 }
  return ramp({ ...input, steps: [50, 100], watch: 300, interval: 200, lag: 1_000, ...how })
}

/** Waits until visibility lists the build of the flows, by which a rollback finds them. */
export async function untilListed(
  { deploymentName, world }: Pick<Builds, 'deploymentName' | 'world'>,
  buildId: string,
  flows: readonly Pick<Underway, 'caseNo'>[],
): Promise<void> {
  const ids = flows.map(({ caseNo }) => `'${toWorkflowId(caseNo)}'`).join(', ')
  const isOnBuild = `${attributes.build} = '${toVersionName({ deploymentName, buildId })}'`
  const query = `WorkflowId IN (${ids}) AND ExecutionStatus = 'Running' AND ${isOnBuild}`
  await eventually(async () => (await world.client.workflow.count(query)).count === flows.length)
}

/** Until the current build has the flow in its cache. Temporal repeats a task that was under way after ten seconds. */
export async function isBack({ world }: Builds, { caseNo }: Pick<Underway, 'caseNo'>): Promise<void> {
  let cause: unknown
  const ask = () =>
    world.flows.status(caseNo).catch(error => {
      cause = error
    })
  try {
    await eventually(async () => (await ask())?.kind === 'Status', minute)
  } catch {
    throw new Error(`${caseNo} does not answer`, { cause })
  }
}

/** A flow that was moved off a build completes on another one. */
export async function expectCompleted(builds: Builds, flow: Underway, buildId = 'good'): Promise<void> {
  await isBack(builds, flow)
  await walk(builds.world, flow)
  expect(await builds.world.flows.result(flow.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  expect(await builds.whereIs(flow.caseNo)).toMatchObject({ buildId })
}
