import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Client, type WorkflowClientInterceptor } from '@temporalio/client'
import { defaultPayloadConverter } from '@temporalio/common'
import type { SimplePlugin } from '@temporalio/plugin'
import {
  type ActivityInterceptorsFactory,
  bundleWorkflowCode,
  NativeConnection,
  Worker,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { createFlowClient } from '#client'
import { fullProfile } from '#contract/terms'
import { flows as builtIn, toWorkflowId } from '#flows'
import { createFlowsPlugin, type FlowsPluginSettings } from '#worker'
import { pass } from '../../testing/stack/wire.ts'
import { converterOf, newKey } from '../support/codec/keys.ts'
import { encodingsOf, payloadsIn } from '../support/codec/payloads.ts'
import { eventually } from '../support/eventually.ts'
import { startCallerNamespace } from '../support/nexus/callerNamespace.ts'
import { linkedFrom } from '../support/nexus/links.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { bundle } from '../support/world/bundle.ts'
import { rarePolls } from '../support/world/settings.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()
const workflowsPath = fileURLToPath(new URL('../support/worker/ownWorkflows.ts', import.meta.url))
const traceInterceptors = fileURLToPath(new URL('../support/worker/traceInterceptors.ts', import.meta.url))
const takenName = fileURLToPath(new URL('../support/worker/takenName.ts', import.meta.url))
const activities = { greet: async (name: string) => `Welcome, ${name}.` }
const { address, namespace } = inject('temporal')
let connection: NativeConnection

beforeAll(async () => {
  connection = await NativeConnection.connect({ address })
})
afterAll(() => connection.close())

function createPlugin(settings: FlowsPluginSettings = {}): Promise<SimplePlugin> {
  const { apiSettings: api } = world
  return createFlowsPlugin({
    ...{ api, profile: fullProfile, pollInterval: rarePolls, environment: 'staging', ...settings },
  })
}

/** Starts a worker of another team. */
async function startWorker(options: Partial<WorkerOptions>) {
  const { taskQueue = `foreign-${randomUUID()}` } = options
  const worker = await Worker.create({ connection, namespace, ...options, taskQueue })
  const running = worker.run()
  const stop = () => {
    worker.shutdown()
    return running
  }
  return { taskQueue, stop }
}

/** Runs a worker of another team until the end of the test, and returns its task queue. */
async function runWorker(options: Partial<WorkerOptions>): Promise<string> {
  const { taskQueue, stop } = await startWorker(options)
  onTestFinished(stop)
  return taskQueue
}

async function expectFlow(taskQueue: string): Promise<void> {
  const flows = createFlowClient(world.client, { taskQueue })
  const caseNo = world.newCase()
  const booking = await flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
  expect(booking).toMatchObject({ kind: 'Booked' })
  await world.statusWhen(caseNo, status => status.shipments[0]?.stateCode === 'ReadyForDropOff')
  expect(await flows.cancel(caseNo, 'over')).toMatchObject({ kind: 'Cancelled', leftOver: [] })
}

function welcome(taskQueue: string, client = world.client): Promise<unknown> {
  const workflowId = `welcome-${randomUUID()}`
  return client.workflow.execute('welcome', { workflowId, taskQueue, args: ['Kim'] })
}

// Bundles cost most of the time of this file, so the tests share them.
describe.each([
  ['its own workflows', { workflowsPath }],
  ['flows alone', {}],
])('a worker of another team with %s, a converter and interceptors', (_, workflows) => {
  const dataConverter = converterOf(newKey('own'))
  const trace = 'the trace of the caller'
  /** The traces that activities got, by the workflow. */
  const traces = new Map<string | undefined, Set<unknown>>()
  let attempts = 0
  let worker: Awaited<ReturnType<typeof startWorker>>
  let client: Client

  beforeAll(async () => {
    const note: ActivityInterceptorsFactory = ({ info }) => ({
      inbound: {
        execute(input, next) {
          const { trace } = input.headers
          const { workflowId } = info.workflowExecution ?? {}
          const noted = traces.get(workflowId) ?? new Set()
          traces.set(workflowId, noted.add(trace && defaultPayloadConverter.fromPayload(trace)))
          return next(input)
        },
      },
    })
    const greet = async (name: string) => {
      if (++attempts === 1) throw new Error('cut \ud83d')
      return activities.greet(name)
    }
    const interceptors = { workflowModules: [traceInterceptors], activity: [note] }
    const plugins = [await createPlugin()]
    worker = await startWorker({ ...workflows, activities: { greet }, dataConverter, interceptors, plugins })
    const header = defaultPayloadConverter.toPayload(trace)
    const send: WorkflowClientInterceptor = {
      startUpdateWithStart: (input, next) =>
        next({ ...input, workflowStartHeaders: { ...input.workflowStartHeaders, trace: header } }),
    }
    client = new Client({
      connection: world.client.connection,
      ...{ namespace, dataConverter, interceptors: { workflow: [send] } },
    })
  })
  afterAll(() => worker.stop())

  const cancelled = { kind: 'Cancelled', leftOver: [] }

  test('keeps them in a flow, with the trace of its caller', async () => {
    const flows = createFlowClient(client, worker)
    const caseNo = `encrypted-${randomUUID()}`
    expect(await flows.startAndWaitForBooking('stock', { caseNo, request: parcel })).toMatchObject({ kind: 'Booked' })
    const workflowId = toWorkflowId(caseNo)
    expect([...(traces.get(workflowId) ?? [])]).toEqual([trace])
    expect(await flows.cancel(caseNo, 'over')).toMatchObject(cancelled)
    const history = await client.workflow.getHandle(workflowId).fetchHistory()
    // The gateway of this test has no codec.
    const events = history.events?.filter(event => !event.workflowExecutionSignaledEventAttributes)
    expect(encodingsOf(payloadsIn(events))).toEqual(['binary/encrypted'])
  })

  test.runIf('workflowsPath' in workflows)(
    'runs its own, and lives on when an activity fails with a lone surrogate',
    async () => {
      expect(await welcome(worker.taskQueue, client)).toBe('Welcome, Kim.')
      expect(attempts).toBe(2)
    },
  )

  test('waits for the booking of a Nexus caller', async () => {
    const caller = await startCallerNamespace(worker.taskQueue, dataConverter)
    onTestFinished(() => caller.stop())
    const caseNo = `nexus-${randomUUID()}`
    world.toService.rule = () => ({ kind: 'cut' })
    const handle = await caller.start('book', { flow: 'stock', caseNo, request: parcel })
    // An operation that takes longer than its request is linked to the workflow that waits for the booking.
    await eventually(async () => (await linkedFrom(handle)).length > 0)
    world.toService.rule = () => pass
    expect(await handle.result()).toMatchObject({ result: { caseNo, shipments: [{ role: 'stock' }] } })
    expect(await createFlowClient(client, worker).cancel(caseNo, 'over')).toMatchObject(cancelled)
  })
})

describe('a worker of another team', () => {
  let workflowBundle: WorkflowBundleOption

  beforeAll(async () => {
    workflowBundle = await bundleWorkflowCode({ workflowsPath, plugins: [await createPlugin()] })
  })

  test('runs its workflows and a flow from a bundle that was built with the plugin', async () => {
    const taskQueue = await runWorker({ workflowBundle, activities, plugins: [await createPlugin()] })
    expect(await welcome(taskQueue)).toBe('Welcome, Kim.')
    await expectFlow(taskQueue)
    const flows = createFlowClient(world.client, { taskQueue })
    const unknown = { caseNo: world.newCase(0), request: parcel }
    expect(await flows.startAndWaitForBooking('toString' as 'stock', unknown)).toMatchObject({ code: 'UnknownFlow' })
  })

  test('with builds of its own keeps them, and flows get their versioning behavior', async () => {
    const deploymentName = `foreign-${randomUUID()}`
    const taskQueue = `foreign-${randomUUID()}`
    const workerOf = async (buildId: string) => {
      const plugin = await createPlugin()
      const version = { deploymentName, buildId }
      const workerDeploymentOptions = {
        version,
        useWorkerVersioning: true,
        defaultVersioningBehavior: 'PINNED',
      } as const
      await runWorker({ taskQueue, workflowBundle, activities, plugins: [plugin], workerDeploymentOptions })
      const makeCurrent = () =>
        connection.workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId })
      await eventually(() => makeCurrent().catch(() => undefined))
      // The server tells its task queues afterwards.
      await eventually(async () => {
        const queue = { namespace, taskQueue: { name: taskQueue } }
        const { versioningInfo } = await connection.workflowService.describeTaskQueue(queue)
        return versioningInfo?.currentDeploymentVersion?.buildId === buildId
      })
    }
    const flows = createFlowClient(world.client, { taskQueue })
    const start = async (flow: 'stock' | 'collectByDispatcher') => {
      const caseNo = world.newCase()
      const request = { ...parcel, ...(flow !== 'stock' && { KeepBookedAfterPickUp: true }) }
      const booking = await flows.startAndWaitForBooking(flow, { caseNo, request })
      expect(booking).toMatchObject({ kind: 'Booked' })
      return caseNo
    }
    const versionOf = async (workflowId: string) => {
      const { raw } = await world.client.workflow.getHandle(workflowId).describe()
      const { behavior, deploymentVersion } = raw.workflowExecutionInfo?.versioningInfo ?? {}
      return { behavior, buildId: deploymentVersion?.buildId }
    }
    await workerOf('1')
    const cases = [await start('stock'), await start('collectByDispatcher')]
    await workerOf('2')
    for (const caseNo of cases) expect(await flows.cancel(caseNo, 'over')).toMatchObject({ kind: 'Cancelled' })
    const [pinned, autoUpgrade] = [1, 2]
    expect(await Promise.all(cases.map(toWorkflowId).map(versionOf))).toEqual([
      { behavior: pinned, buildId: '1' },
      { behavior: autoUpgrade, buildId: '2' },
    ])
    expect(await welcome(taskQueue)).toBe('Welcome, Kim.')
  })

  test('whose workflow has the name of one of lockerflow, gets an error that names it', async () => {
    const taskQueue = await runWorker({ workflowsPath: takenName, plugins: [await createPlugin()] })
    const handle = await world.client.workflow.start('sweep', { workflowId: `taken-${randomUUID()}`, taskQueue })
    onTestFinished(() => handle.terminate().then(() => undefined))
    const message = await eventually(async () => {
      const { events } = await handle.fetchHistory()
      return events?.map(event => event.workflowTaskFailedEventAttributes?.failure?.message).find(Boolean)
    })
    expect(message).toBe('workflowsPath: must not export sweep beside the flows of lockerflow. Rename the export.')
  })
})

describe('refused are', () => {
  function create(options: Partial<WorkerOptions>): Promise<unknown> {
    return Worker.create({ connection, namespace, taskQueue: 'foreign', ...options })
  }

  test('a bundle that was built without the plugin', async () => {
    const created = create({ workflowBundle: await bundle(), plugins: [await createPlugin()] })
    await expect(created).rejects.toThrow(/^workflowBundle: must be built with the plugin of lockerflow/)
  })

  test('an activity with the name of one of lockerflow', async () => {
    const created = create({ activities: { planFlow: activities.greet }, plugins: [await createPlugin()] })
    await expect(created).rejects.toThrow(
      'activities: must not have the names of those of lockerflow: planFlow. Rename them.',
    )
  })

  test('an activity that both the plugin and the worker have', async () => {
    const plugin = await createPlugin({ activities: { greet: async () => 'Welcome.' } })
    await expect(create({ activities, plugins: [plugin] })).rejects.toThrow(
      'activities: must not be given both to the plugin and to the worker: greet. Rename one of each.',
    )
  })

  test('the flows of loadFlows by name, where a list is expected', async () => {
    const flows = { stock: builtIn.stock } as unknown as NonNullable<FlowsPluginSettings['flows']>
    await expect(createPlugin({ flows })).rejects.toThrow(
      'flows: must be a list of declarations, such as Object.values(flows).',
    )
  })

  test('workflows that are not bundled yet, of a worker with a build', async () => {
    const version = { deploymentName: 'foreign', buildId: '1' }
    const workerDeploymentOptions = { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' } as const
    const created = create({ workflowsPath, workerDeploymentOptions, plugins: [await createPlugin()] })
    await expect(created).rejects.toThrow(
      /^workflowsPath: must be replaced by workflowBundle for a worker with a build/,
    )
  })

  test('interceptors of workflows that are not bundled yet, of a worker with a build', async () => {
    const version = { deploymentName: 'foreign', buildId: '1' }
    const workerDeploymentOptions = { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' } as const
    const interceptors = { workflowModules: [traceInterceptors] }
    const created = create({ interceptors, workerDeploymentOptions, plugins: [await createPlugin()] })
    await expect(created).rejects.toThrow(/^workflowBundle: must be given for a worker with a build/)
  })

  test('settings of tests in production', async () => {
    const created = createPlugin({ environment: 'production', windowFactor: 0.5 })
    await expect(created).rejects.toThrow(/^windowFactor: must be absent in production/)
  })

  test('a second worker with the same plugin', async () => {
    const plugin = await createPlugin()
    plugin.configureWorker({ taskQueue: 'foreign' })
    expect(() => plugin.configureWorker({ taskQueue: 'foreign' })).toThrow(
      'plugins: must have a plugin of lockerflow for each worker. Call createFlowsPlugin again.',
    )
  })
})
