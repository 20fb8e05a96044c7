import { NativeConnection } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { shipmentStatus } from '#flows/messages'
import { pass } from '../../../testing/stack/wire.ts'
import { findRouting, toVersionName } from '../../../worker/deployment.ts'
import { moveBack } from '../../../worker/promotion/moveBack.ts'
import type { OpenFlow } from '../../../worker/promotion/openFlows.ts'
import { endRamp, setRamp } from '../../../worker/promotion/routing.ts'
import { describeTasks } from '../../../worker/promotion/tasks.ts'
import { eventually } from '../../support/eventually.ts'
import { type Builds, createBuilds } from '../../support/flows/builds.ts'
import { type ChangedBundle, incompatibleBundle } from '../../support/flows/changedBundle.ts'
import { expectCompleted, startBuild } from '../../support/flows/ramps.ts'
import { startFor } from '../../support/flows/underway.ts'
import { type GrpcFaults, startGrpcRelay } from '../../support/servers/grpcRelay.ts'
import { bundle } from '../../support/world/bundle.ts'

const loan = 'issueFromStockAndSubsequentIntakeAndCircularStock'

let builds: Builds
let good: ChangedBundle

beforeAll(async () => {
  builds = await createBuilds()
  good = await bundle()
  await startBuild(builds, 'good', good)
  expect((await builds.promote('good', good)).objections).toEqual([])
})

afterAll(() => builds.stop())

/** A connection on which some calls fail, or on which something happens between two calls. */
async function connectOver(faults: GrpcFaults) {
  const relay = await startGrpcRelay(inject('temporal').address, faults)
  const connection = await NativeConnection.connect({ address: relay.address })
  onTestFinished(async () => {
    await connection.close()
    await relay.stop()
  })
  return { relay, connection }
}

test('a change of the routing names that of another command', async () => {
  const { connection, deploymentName, world } = builds
  const target = { connection, namespace: inject('temporal').namespace, taskQueue: world.taskQueue }
  const build = { deploymentName, buildId: 'next' }
  await startBuild(builds, 'next', good)
  const read = await findRouting(connection, target.namespace, deploymentName)
  if (read === undefined) throw new Error('The deployment must have a current build')
  await setRamp(target, build, 5, read)
  await expect(setRamp(target, build, 10, read)).rejects.toThrow(
    `--deployment: another command has changed the routing of ${deploymentName} meanwhile. Run this one again.`,
  )
  await endRamp(target, build)
})

/** The calls of a move that concern one flow, and depend on their order. */
const ofMove = [
  'UpdateWorkflowExecutionOptions',
  'DescribeWorkflowExecution',
  'ResetStickyTaskQueue',
  'QueryWorkflow',
  'ResetWorkflowExecution',
]

describe('a flow that moves back', () => {
  const target = (connection: NativeConnection) => ({
    connection,
    namespace: inject('temporal').namespace,
    taskQueue: builds.world.taskQueue,
  })
  const version = (buildId: string) => ({ deploymentName: builds.deploymentName, buildId })

  /** Routes all flows to a build, and starts one there. */
  async function startOn(buildId: string, code: ChangedBundle, flow: 'issue' | typeof loan) {
    await startBuild(builds, buildId, code)
    const found = await findRouting(builds.connection, inject('temporal').namespace, builds.deploymentName)
    if (found === undefined) throw new Error('The deployment must have a current build')
    await setRamp(target(builds.connection), version(buildId), 100, found)
    // No callback of the booking: it would be a task of its own, at any time.
    builds.world.toGateway.rule = () => ({ kind: 'status', status: 204 })
    const underway = await startFor(builds.world, flow)
    expect(await builds.whereIs(underway.caseNo)).toMatchObject({ buildId })
    const workflowId = toWorkflowId(underway.caseNo)
    const { runId } = await builds.world.client.workflow.getHandle(workflowId).describe()
    const open: OpenFlow = { workflowId, runId, pinned: flow === 'issue', build: toVersionName(version(buildId)) }
    await eventually(async () => !(await describeTasks(target(builds.connection), open)).isPending)
    return { underway, open }
  }

  test('is pinned to the current build before that build is asked', async () => {
    const { underway, open } = await startOn('other', await incompatibleBundle(), 'issue')
    const { relay, connection } = await connectOver({})
    await endRamp(target(builds.connection), version('other'))
    const moved = await moveBack(target(connection), open, version('other'), version('good'))
    expect(moved).toEqual({ kind: 'reset' })
    const calls = relay.passed.filter(method => ofMove.includes(method))
    expect(calls[0]).toBe('UpdateWorkflowExecutionOptions')
    expect(calls.at(-1)).toBe('ResetWorkflowExecution')
    builds.world.toGateway.rule = () => pass
    await expectCompleted(builds, underway)
  })

  test('is asked again if it had a task while it was asked', async () => {
    let disturbed = false
    const { underway, open } = await startOn('same', good, loan)
    const { relay, connection } = await connectOver({
      // A task makes the flow sticky to a worker again, which then answers for its own build.
      async after(method) {
        if (method !== 'ResetStickyTaskQueue' || disturbed) return
        disturbed = true
        const flow = target(builds.connection)
        const { events } = await describeTasks(flow, open)
        const state = { shipmentUid: 'unknown', stateCode: 'Created', stateStart: '2026-01-01T00:00:00.000Z' }
        await builds.world.client.workflow.getHandle(open.workflowId).signal(shipmentStatus, state)
        await eventually(async () => {
          const tasks = await describeTasks(flow, open)
          return !tasks.isPending && tasks.events > events + 1
        })
      },
    })
    const moved = await moveBack(target(connection), open, version('same'), version('good'))
    expect(moved).toEqual({ kind: 'moved' })
    const attempt = ['DescribeWorkflowExecution', 'ResetStickyTaskQueue', 'QueryWorkflow', 'DescribeWorkflowExecution']
    expect(relay.passed.filter(method => ofMove.includes(method))).toEqual([...attempt, ...attempt])
    await endRamp(target(builds.connection), version('same'))
    builds.world.toGateway.rule = () => pass
    await expectCompleted(builds, underway)
  })
})
