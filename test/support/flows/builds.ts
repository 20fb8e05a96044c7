import { randomUUID } from 'node:crypto'
import { NativeConnection, type WorkflowBundleOption } from '@temporalio/worker'
import { inject } from 'vitest'
import { fullProfile, workflowIdOf } from '#contract/terms'
import { type Build, type RunningWorker, startWorker } from '#worker'
import { type Promotion, type PromotionOrder, promote } from '../../worker/promotion/promote.ts'
import { expectLockersConsistent, expectSettled } from '../flows/invariants.ts'
import { createWorld, type World } from '../flows/world.ts'

/** A world whose workers are builds of a deployment of its own. */
export interface Builds {
  readonly world: World
  readonly deploymentName: string
  readonly connection: NativeConnection
  /** Starts a worker of a build, beside those that run. */
  start(buildId: string, bundle: WorkflowBundleOption): Promise<RunningWorker>
  promote(buildId: string, bundle: WorkflowBundleOption, how?: Partial<PromotionOrder>): Promise<Promotion>
  /** The build that did the last task of a case, and whether the case stays on it. */
  whereIs(caseNo: string): Promise<{ buildId: string | undefined; pinned: boolean }>
  /** Ends everything, after a look at what the cases left behind. */
  stop(): Promise<void>
}

/** Temporal's number. */
const pinned = 1

export async function createBuilds(): Promise<Builds> {
  const { address, namespace } = inject('temporal')
  const world = await createWorld({ address, namespace })
  // Without a build, and so in nobody's way once a build is current.
  await world.stopWorker()
  const connection = await NativeConnection.connect({ address })
  const deploymentName = `test-${randomUUID()}`
  const workers: RunningWorker[] = []
  const { taskQueue, client } = world
  const build = (buildId: string): Build => ({ deploymentName, buildId })
  return {
    world,
    deploymentName,
    connection,
    async start(buildId, bundle) {
      const worker = await startWorker({
        temporal: { address },
        namespace,
        taskQueue,
        environment: 'staging',
        api: world.apiSettings,
        profile: fullProfile,
        looks: { first: 3_600_000, longest: 86_400_000 },
        build: build(buildId),
        bundle,
      })
      workers.push(worker)
      return worker
    },
    promote: (buildId, bundle, how = {}) =>
      promote({ connection, namespace, taskQueue, build: build(buildId), bundle, patience: 2_000, ...how }),
    async whereIs(caseNo) {
      const { raw } = await client.workflow.getHandle(workflowIdOf(caseNo)).describe()
      const info = raw.workflowExecutionInfo?.versioningInfo
      return { buildId: info?.deploymentVersion?.buildId ?? undefined, pinned: info?.behavior === pinned }
    },
    async stop() {
      for (const [caseNo, booked] of world.cases) await expectSettled(world, caseNo, booked)
      await expectLockersConsistent(world.api)
      await Promise.all(workers.map(worker => worker.stop()))
      await world.stop()
      await connection.close()
    },
  }
}
