import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Client, Connection, type WorkflowHandle } from '@temporalio/client'
import type { DataConverter } from '@temporalio/common'
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker'
import { inject } from 'vitest'
import { ensureNexusEndpoint } from '../../../testing/stack/temporal.ts'
import { eventually } from '../eventually.ts'
import type { Temporal } from '../world/settings.ts'
import type { Call, Called } from './callers.ts'

/** The namespace of another team, with a worker and an endpoint that leads to the flows of a world. */
export interface CallerNamespace {
  readonly namespace: string
  readonly endpoint: string
  readonly client: Client
  start(operation: Call['operation'], input: unknown): Promise<WorkflowHandle<(call: Call) => Promise<Called>>>
  call(operation: Call['operation'], input: unknown): Promise<Called>
  stop(): Promise<void>
}

const workflowsPath = fileURLToPath(new URL('./callers.ts', import.meta.url))

/** Built once per process. */
let workflowBundle: ReturnType<typeof bundleWorkflowCode> | undefined

/** Milliseconds after which Temporal forgets closed workflows. */
const retention = 86_400

/**
 * @param taskQueue of the worker that has the flows
 * @param dataConverter of the callers
 * @param temporal the server of the flows
 */
export async function startCallerNamespace(
  taskQueue: string,
  dataConverter: DataConverter = {},
  temporal: Temporal = inject('temporal'),
): Promise<CallerNamespace> {
  const { address, namespace: flowsNamespace } = temporal
  const connection = await Connection.connect({ address })
  const namespace = `shop-${randomUUID()}`
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: retention as never },
  })
  const endpoint = `flows-${randomUUID()}`
  await ensureNexusEndpoint(connection, { name: endpoint, namespace: flowsNamespace, taskQueue })
  const native = await NativeConnection.connect({ address })
  workflowBundle ??= bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') })
  const bundle = await workflowBundle
  const callersQueue = 'callers'
  // A new namespace is known to the whole server after a moment.
  const worker = await eventually(() =>
    Worker.create({
      connection: native,
      namespace,
      taskQueue: callersQueue,
      workflowBundle: bundle,
      dataConverter,
    }).catch(() => undefined),
  )
  const running = worker.run()
  const client = new Client({ connection, namespace, dataConverter })
  const start: CallerNamespace['start'] = (operation, input) =>
    client.workflow.start<(call: Call) => Promise<Called>>('callFlows', {
      workflowId: `${operation}-${randomUUID()}`,
      taskQueue: callersQueue,
      args: [{ endpoint, operation, input }],
    })
  return {
    namespace,
    endpoint,
    client,
    start,
    call: async (operation, input) => (await start(operation, input)).result(),
    async stop() {
      worker.shutdown()
      await running
      await Promise.all([native.close(), connection.close()])
    },
  }
}
