import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { repairShop } from '../../examples/repair-shop/flows/repairShop.ts'
import { readSettings as readGateway } from '../../gateway/settings.ts'
import { loadSettings, readSettings } from '../../worker/settings.ts'
import { toInsideOptions, toOutsideOptions, toPollers } from '../../worker/taskQueues.ts'
import { newFolder } from '../support/service/temporaryStore.ts'

/** Only the settings of Temporal that a test names, not those of this machine's user. */
const { folder, remove } = newFolder()
afterAll(remove)
const none = { TEMPORAL_CONFIG_FILE: join(folder, 'temporal.toml') }
writeFileSync(none.TEMPORAL_CONFIG_FILE, '[profile.default]\n')
const production = { ...none, LOCKERFLOW_ENVIRONMENT: 'production' }
const api = { baseUrl: 'https://a.example', authUrl: 'https://a.example', clientId: 'acme', clientSecret: 'secret' }
const temporal = { address: 'temporal.example:7233' }
const service = { api, profile: fullProfile }

function errorOf(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('no error')
}

describe('a worker in a process of its own', () => {
  test('has the settings of the environment', async () => {
    expect(await loadSettings({}, { ...none, LOCKERFLOW_TASK_QUEUE: 'shop' })).toMatchObject({
      taskQueue: 'shop',
      environment: 'staging',
      profile: fullProfile,
      api: { clientId: 'acme' },
      namespace: 'default',
      flows: [],
      // Milliseconds until a poll of a new flow that has had no callback.
      earlyPoll: 60_000,
    })
  })

  test('has given settings in place of those', async () => {
    const source = { ...none, LOCKERFLOW_TASK_QUEUE: 'shop', LOCKERFLOW_FLOWS: './nowhere/*.yaml' }
    const settings = await loadSettings({ taskQueue: 'own', flows: [repairShop] }, source)
    expect(settings).toMatchObject({ taskQueue: 'own', flows: [{ name: 'repairShop' }] })
  })

  test('ignores given settings that are undefined', async () => {
    const given = { taskQueue: undefined } as never
    expect(await loadSettings(given, none)).toMatchObject({ taskQueue: 'lockerflow' })
  })

  test('has the errors of the environment', async () => {
    const error = errorOf(() => readSettings(production))
    expect(error).toContain('LOCKERFLOW_CLIENT_SECRET')
    await expect(loadSettings({}, production)).rejects.toThrow(error)
  })

  test('needs no variable for what is given', () => {
    const error = errorOf(() => readSettings(production, service))
    expect(error).not.toContain('LOCKERFLOW_CLIENT_SECRET')
    expect(error).not.toContain('LOCKERFLOW_BASE_URL')
  })
})

describe('a gateway in a process of its own', () => {
  const given = { ...service, keys: { current: 'a-key-of-sixteen-or-more' }, url: 'https://gateway.example' }

  test('needs no variable for what is given', () => {
    const needed = errorOf(() => readGateway(production, '/nowhere'))
    for (const name of ['LOCKERFLOW_CLIENT_SECRET', 'LOCKERFLOW_CALLBACK_KEY', 'LOCKERFLOW_GATEWAY_URL'])
      expect(needed).toContain(name)
    const all = { ...given, temporal, namespace: 'shop', dataConverter: {}, host: '127.0.0.1' }
    expect(readGateway(production, '/nowhere', all)).toMatchObject({ ...given, temporal, namespace: 'shop' })
  })
})

/** The options of the workers of both queues under an environment. */
function optionsUnder(source: Record<string, string>) {
  const settings = readSettings(source)
  const options = { taskQueue: 'lockers', ...toPollers(settings) }
  return {
    inside: toInsideOptions(options, settings),
    outside: toOutsideOptions(options, settings.maxOutsideActivities),
  }
}

const outside = { taskQueue: 'lockers-outside', maxConcurrentActivityTaskExecutions: 100 }
const autoscaling = {
  workflowTaskPollerBehavior: { type: 'autoscaling' },
  activityTaskPollerBehavior: { type: 'autoscaling' },
}
const simple = { type: 'simple-maximum', maximum: 4 }
const four = { workflowTaskPollerBehavior: simple, activityTaskPollerBehavior: simple }

test.each([
  [{}, 3_600_000, 86_400_000],
  [{ LOCKERFLOW_POLL_INTERVAL: '2h,3d' }, 7_200_000, 259_200_000],
  [{ LOCKERFLOW_POLL_INTERVAL: '10m' }, 600_000, 600_000],
])('the interval of polls under %j', (source, initial, maximum) => {
  expect(readSettings(source).pollInterval).toEqual({ initial, maximum })
})

describe('the task queues of a worker', () => {
  test.each<[Record<string, string>, object, object]>([
    [{}, {}, {}],
    [{ LOCKERFLOW_WORKER_POLLERS: 'autoscaling' }, autoscaling, autoscaling],
    [{ LOCKERFLOW_WORKER_POLLERS: '4' }, four, four],
    [
      { LOCKERFLOW_WORKER_SLOTS: '20,30' },
      { maxConcurrentWorkflowTaskExecutions: 20, maxConcurrentActivityTaskExecutions: 30 },
      {},
    ],
    [{ LOCKERFLOW_MAX_OUTSIDE_ACTIVITIES: '7' }, {}, { maxConcurrentActivityTaskExecutions: 7 }],
    [
      { LOCKERFLOW_WORKER_SLOTS: 'resources' },
      { tuner: { tunerOptions: { targetMemoryUsage: 0.8, targetCpuUsage: 0.9 } } },
      {},
    ],
    [{ LOCKERFLOW_MAX_ACTIVITIES_PER_SECOND: '200' }, { maxTaskQueueActivitiesPerSecond: 200 }, {}],
  ])('under %j', (source, ofFlows, ofOutside) => {
    expect(optionsUnder(source)).toEqual({
      inside: { taskQueue: 'lockers', ...ofFlows },
      outside: { ...outside, ...ofOutside },
    })
  })

  test.each<[Record<string, string>, string]>([
    [
      { LOCKERFLOW_WORKER_POLLERS: 'many' },
      'LOCKERFLOW_WORKER_POLLERS: must be autoscaling or a number from 2 to 1000',
    ],
    [{ LOCKERFLOW_WORKER_POLLERS: '1' }, 'LOCKERFLOW_WORKER_POLLERS: must be autoscaling or a number from 2 to 1000'],
    ...['auto', '20', '1,30', '20,0', '20,30,40', 'resources,30'].map((slots): [Record<string, string>, string] => [
      { LOCKERFLOW_WORKER_SLOTS: slots },
      'LOCKERFLOW_WORKER_SLOTS: must be resources, or from 2 to 10000 workflow tasks',
    ]),
    ...['soon', '1h,', '1d,1h', '1h,1d,2d'].map((interval): [Record<string, string>, string] => [
      { LOCKERFLOW_POLL_INTERVAL: interval },
      'LOCKERFLOW_POLL_INTERVAL: must be a duration such as 30m, or two',
    ]),
  ])('%j is refused', (source, message) => {
    expect(() => readSettings(source)).toThrow(message)
  })
})
