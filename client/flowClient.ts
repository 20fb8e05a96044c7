import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { taskQueue as defaultTaskQueue } from '#contract/terms'
import { toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import * as messages from '#flows/messages'
import { toResult } from './calls.ts'
import { withCause } from './causes.ts'
import type { NameOf } from './flowTypes.ts'
import { start, startAndWaitForBooking } from './start.ts'
import type { FlowClient, FlowClientOptions, FlowWorkflow } from './types.ts'
import { createUpdates } from './updates.ts'

/** Milliseconds. */
const statusTimeout = 10_000

/**
 * Creates a flow client on the caller's Temporal client, which sets address, namespace and data converter. Where
 * histories are encrypted, the client needs the keys: `dataConverter: readDataConverter()` of `#codec`.
 *
 * ```ts
 * const flows = createFlowClient(new Client({ connection: await Connection.connect() }))
 * ```
 *
 * Own flows are typed by their declarations: `createFlowClient(client, { flows: [repairShop] })`.
 */
export function createFlowClient<const Own extends FlowDeclaration = never>(
  client: Client,
  { taskQueue = defaultTaskQueue, flows = [] }: FlowClientOptions<Own> = {},
): FlowClient<Own> {
  const target = { client, taskQueue, flows }
  const handle = <Name extends NameOf<Own>>(caseNo: string) =>
    client.workflow.getHandle<FlowWorkflow<Name, Own>>(toWorkflowId(caseNo))

  const named = <Response>(caseNo: string, call: () => Promise<Response>) =>
    withCause(client, { caseNo, taskQueue }, call)

  return {
    start: (flow, input) => named(input.caseNo, () => start(target, flow, input)),

    startAndWaitForBooking: (flow, input, options) =>
      named(input.caseNo, () => startAndWaitForBooking(target, flow, input, options)),

    status: caseNo =>
      named(caseNo, async () => {
        try {
          const status = await client.withDeadline(Date.now() + statusTimeout, () =>
            handle(caseNo).query(messages.status),
          )
          return { kind: 'Status', status }
        } catch (error) {
          if (error instanceof WorkflowNotFoundError) return { kind: 'UnknownCase', caseNo }
          throw error
        }
      }),

    result: <Name extends NameOf<Own>>(caseNo: string) =>
      named(caseNo, () =>
        toResult(client, caseNo, async () => ({
          kind: 'Ended' as const,
          result: await handle<Name>(caseNo).result(),
        })),
      ),

    handle,

    ...createUpdates(client, taskQueue, handle),
  }
}
