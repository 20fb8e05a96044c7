import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningWorker } from '#worker'
import type { Diagnosis } from '../../cli/doctor/examination.ts'
import { countPollers } from '../../gateway/pollers.ts'
import { startVerb } from '../support/command/verbs.ts'
import { eventually } from '../support/eventually.ts'
import { type Builds, createBuilds } from '../support/flows/builds.ts'
import { bundle } from '../support/world/bundle.ts'
import { useOwnTemporal } from '../support/world/ownTemporal.ts'

/** Temporal lists a worker for five minutes after its last poll, and a poll waits for a minute, unless these say otherwise. */
const temporal = useOwnTemporal(['matching.PollerHistoryTTL="8s"', 'matching.longPollExpirationInterval="1s"'])

let builds: Builds
let newer: RunningWorker

beforeAll(async () => {
  builds = await createBuilds({ temporal: temporal() })
})

afterAll(() => builds.stop())

/** The counts as `build kind: workers`. */
async function counts(): Promise<Record<string, number>> {
  const { client, taskQueue } = builds.world
  const pollers = await countPollers(client, temporal().namespace, taskQueue)
  return Object.fromEntries(pollers.map(({ build, kind, count }) => [`${build} ${kind}`, count]))
}

/** The same counts for each kind of task queue. */
function each(builds: Record<string, number>): Record<string, number> {
  const kinds = ['workflow', 'activity', 'outside']
  return Object.fromEntries(
    kinds.flatMap(kind => Object.entries(builds).map(([build, count]) => [`${build} ${kind}`, count])),
  )
}

/** Temporal's list of pollers lags behind. */
const countsAre = (expected: Record<string, number>) =>
  eventually(async () => {
    const found = await counts()
    return JSON.stringify(found) === JSON.stringify(expected) && found
  })

/** The builds that Temporal lists, whether they get new flows or not. */
async function listedBuilds(): Promise<(string | null | undefined)[]> {
  const { client, taskQueue } = builds.world
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: temporal().namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: 1,
  })
  return pollers.map(({ deploymentOptions }) => deploymentOptions?.buildId)
}

/** The finding of `lockerflow doctor` about the workers, or about another part. */
async function diagnosis(name = 'workers'): Promise<Diagnosis | undefined> {
  const { address, namespace } = temporal()
  const { deploymentName } = builds
  const environment = {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    LOCKERFLOW_DEPLOYMENT: deploymentName,
  }
  const running = startVerb({ ...environment, LOCKERFLOW_TASK_QUEUE: builds.world.taskQueue }, 'doctor')
  await running.ended
  return (running.values as readonly Diagnosis[]).find(({ part }) => part === name)
}

const unpolled = () => {
  const { taskQueue } = builds.world
  return `no worker polls ${taskQueue} for workflows and activities, nor ${taskQueue}-outside for activities`
}

const promote = (buildId: string) =>
  eventually(async () => (await builds.promote(buildId, await bundle())).objections.length === 0)

/** Repeated until Temporal has recorded the build. */
async function ramp(buildId: string, percentage: number): Promise<void> {
  const { connection, deploymentName } = builds
  const { namespace } = temporal()
  const share = { namespace, deploymentName, buildId, percentage }
  await eventually(() => connection.workflowService.setWorkerDeploymentRampingVersion(share).catch(() => undefined))
}

// One story: each test goes on from the one before.
describe('workers that get new flows', () => {
  test('are those without a build until a build is current', async () => {
    await builds.world.restartWorker()
    await countsAre(each({ current: 1 }))
    await builds.world.stopWorker()
    await builds.start('old', await bundle())
    await countsAre(each({ current: 0 }))
    expect(await listedBuilds()).toEqual(['old'])
    expect(await diagnosis()).toMatchObject({
      state: 'wrong',
      found: `${unpolled()}: new flows go to workers without a build, and only workers of build ${builds.deploymentName}:old poll`,
      remedy: expect.stringContaining('Promote the build of these workers: lockerflow promote.'),
    })
    await promote('old')
    await expect
      .poll(() => diagnosis())
      .toMatchObject({
        state: 'ok',
        found: expect.stringMatching(`are polled by \\S+ of build ${builds.deploymentName}:old$`),
      })
    await countsAre(each({ current: 1 }))
  })

  test('are those of the current build, while another one polls', async () => {
    newer = await builds.start('new', await bundle())
    await eventually(async () => (await listedBuilds()).length === 2)
    expect(await counts()).toEqual(each({ current: 1 }))
  })

  test('are also those of a build that ramps, until its share is 0', async () => {
    await ramp('new', 10)
    await countsAre(each({ current: 1, ramping: 1 }))
    const { deploymentName } = builds
    const current = `${deploymentName}, current build old`
    expect(await diagnosis('deployment')).toMatchObject({ found: `${current}; build new gets 10 % of the flows` })
    expect(await diagnosis()).toMatchObject({
      found: expect.stringMatching(
        `are polled by \\S+ of build ${deploymentName}:old and \\S+ of build ${deploymentName}:new$`,
      ),
    })
    await ramp('new', 0)
    await countsAre(each({ current: 1 }))
    expect(await diagnosis('deployment')).toMatchObject({ found: current })
  })

  test('are missing while a build ramps without workers', async () => {
    const gone = await builds.start('gone', await bundle())
    await ramp('gone', 10)
    await gone.stop()
    await expect
      .poll(() => diagnosis())
      .toMatchObject({
        state: 'wrong',
        found: `${unpolled()}: a share of the flows goes to workers of build ${builds.deploymentName}:gone`,
        remedy: expect.stringContaining('--roll-back'),
      })
    // Temporal's record would keep the other build, and its ramp refuse the next promotion.
    await ramp('new', 0)
  })

  test('are gone with the workers of the current build, although an old one polls for its own flows', async () => {
    await promote('new')
    await countsAre(each({ current: 1 }))
    await newer.stop()
    await countsAre(each({ current: 0 }))
    expect(await listedBuilds()).toEqual(['old'])
    const { deploymentName } = builds
    expect(await diagnosis()).toMatchObject({
      state: 'wrong',
      found: `${unpolled()}: new flows go to workers of build ${deploymentName}:new, and only workers of build ${deploymentName}:old poll`,
      remedy: expect.stringContaining('Start workers of the current build'),
    })
  })
})
