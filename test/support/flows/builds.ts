import { randomUUID } from 'node:crypto'
import type { DataConverter, WorkerDeploymentVersion } from '@temporalio/common'
import { NativeConnection, type WorkflowBundleOption } from '@temporalio/worker'
import { inject } from 'vitest'
import { toWorkflowId } from '#flows'
import { type RunningWorker, startWorker, type WorkerSettings } from '#worker'
import { type Promotion, type PromotionInput, promote } from '../../../worker/promotion/promote.ts'
import { createWorld } from '../world/createWorld.ts'
import type { World } from '../world/flowWorld.ts'
import { cutOffEndedCases, expectLockersConsistent, expectSettled } from '../world/invariants.ts'
import { type Temporal, workerSettings } from '../world/settings.ts'

/** The flows of a build that the catalogue does not have. */
type Own = Pick<WorkerSettings, 'flows' | 'activities' | 'calendars'>

/** A world whose workers are builds of its own deployment. */
export interface Builds {
  readonly world: World
  readonly deploymentName: string
  readonly connection: NativeConnection
  /** Starts a worker of a build in addition to the running ones. */
  start(buildId: string, bundle: WorkflowBundleOption, own?: Own): Promise<RunningWorker>
  promote(buildId: string, bundle: WorkflowBundleOption, how?: Partial<PromotionInput>): Promise<Promotion>
  /** The build of the last workflow task of a case, and its versioning behaviour. */
  whereIs(caseNo: string): Promise<{ buildId: string | undefined; pinned: boolean }>
  /** Checks the cases for lost and duplicate bookings, then stops everything. */
  stop(): Promise<void>
}

/** The enum value of the Temporal API. */
const pinned = 1

export async function createBuilds({
  dataConverter,
  temporal = inject('temporal'),
}: {
  readonly dataConverter?: DataConverter
  readonly temporal?: Temporal
} = {}): Promise<Builds> {
  const { address, namespace } = temporal
  const encryption = dataConverter && { dataConverter }
  const world = await createWorld({ temporal: { address, namespace }, ...encryption })
  // A worker without a build gets no tasks once a build is current.
  await world.stopWorker()
  const connection = await NativeConnection.connect({ address })
  const deploymentName = `test-${randomUUID()}`
  const workers: RunningWorker[] = []
  const { taskQueue, client } = world
  const build = (buildId: string): WorkerDeploymentVersion => ({ deploymentName, buildId })
  return {
    world,
    deploymentName,
    connection,
    async start(buildId, bundle, own = {}) {
      const settings = await workerSettings({ address, namespace }, taskQueue, world.apiSettings)
      const worker = await startWorker({ ...settings, ...encryption, ...own, build: build(buildId), bundle })
      workers.push(worker)
      return worker
    },
    promote: (buildId, bundle, how = {}) =>
      promote({
        ...{ connection, namespace, taskQueue, build: build(buildId), bundle, queryTimeout: 10_000 },
        ...encryption,
        ...how,
      }),
    async whereIs(caseNo) {
      const { raw } = await client.workflow.getHandle(toWorkflowId(caseNo)).describe()
      const info = raw.workflowExecutionInfo?.versioningInfo
      return { buildId: info?.deploymentVersion?.buildId ?? undefined, pinned: info?.behavior === pinned }
    },
    async stop() {
      await cutOffEndedCases(world)
      for (const [caseNo, booked] of world.cases) await expectSettled(world, caseNo, booked)
      await expectLockersConsistent(world.api)
      await Promise.all(workers.map(worker => worker.stop()))
      await world.stop()
      await connection.close()
    },
  }
}
