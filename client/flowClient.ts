import { type Client, QueryNotRegisteredError, WorkflowNotFoundError } from '@temporalio/client'
import { taskQueue as defaultTaskQueue } from '#contract/terms'
import { toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import * as messages from '#flows/messages'
import { waitForBooking } from './booking.ts'
import { defaultTimeout, graceTimeout, sendQuery, within } from './calls.ts'
import { withCause } from './causes.ts'
import { waitForEnd } from './end.ts'
import type { InputOf, NameOf } from './flowTypes.ts'
import { list, listTimeout } from './list.ts'
import { unknownCase } from './refusals.ts'
import { start, startAndWaitForBooking } from './start.ts'
import type { BookingOptions, EndOptions, FlowClient, FlowClientOptions, FlowWorkflow, WatchOptions } from './types.ts'
import { createUpdates } from './updates.ts'
import { watch } from './watch.ts'

/**
 * Creates a flow client on the caller's Temporal client, which sets address, namespace and data converter. Where
 * histories are encrypted, the client needs the keys: `dataConverter: readDataConverter()` of `lockerflow/codec`.
 *
 * ```ts
 * const flows = createFlowClient(new Client({ connection: await Connection.connect() }))
 * ```
 *
 * The declarations type your own flows: `createFlowClient(client, { flows: [repairShop] })`.
 */
export function createFlowClient<const Own extends FlowDeclaration = never>(
  client: Client,
  { taskQueue = defaultTaskQueue, flows = [] }: FlowClientOptions<Own> = {},
): FlowClient<Own> {
  const target = { client, taskQueue, flows }
  const handle = <Name extends NameOf<Own>>(caseNo: string) =>
    client.workflow.getHandle<FlowWorkflow<Name, Own>>(toWorkflowId(caseNo))
  const targetOf = <Name extends NameOf<Own>>(caseNo: string) => ({ client, taskQueue, handle: handle<Name>(caseNo) })

  const named = <Response>(caseNo: string, call: () => Promise<Response>) =>
    withCause(client, { caseNo, taskQueue }, call)

  const untilEnd = <Name extends NameOf<Own>>(caseNo: string, options: EndOptions = {}) =>
    named(caseNo, () => waitForEnd(targetOf<Name>(caseNo), caseNo, options))

  /** A Temporal that never responds would hold the caller without end. */
  const startWithin = <Name extends NameOf<Own>>(timeout: number, flow: Name, input: InputOf<Name, Own>) =>
    within(client, timeout, () => start(target, flow, input))

  return {
    start: (flow, input) => named(input.caseNo, () => startWithin(defaultTimeout, flow, input)),

    startAndWaitForBooking: (flow, input, options) =>
      named(input.caseNo, () => startAndWaitForBooking(target, flow, input, options)),

    waitForBooking: <Name extends NameOf<Own>>(caseNo: string, options: BookingOptions = {}) =>
      named(caseNo, () => waitForBooking(targetOf<Name>(caseNo), caseNo, options)),

    startAndWaitForEnd: (flow, input, { timeout, ...options } = {}) =>
      named(input.caseNo, async () => {
        options.signal?.throwIfAborted()
        const begunAt = Date.now()
        // The timeout is meant for the flow, and can be too short for the start.
        const started = await startWithin(Math.max(timeout ?? defaultTimeout, graceTimeout), flow, input)
        if (started.kind === 'CaseFinished') return { kind: 'Ended', result: started.result }
        if (started.kind !== 'Started') return started
        const left = timeout !== undefined && { timeout: Math.max(0, begunAt + timeout - Date.now()) }
        return waitForEnd(targetOf<typeof flow>(input.caseNo), input.caseNo, { ...options, ...left })
      }),

    status: (caseNo, { picture = false, questions = false } = {}) =>
      named(caseNo, async () => {
        try {
          const query = () => handle(caseNo).query(messages.status, { picture, questions })
          return { kind: 'Status', status: await sendQuery(client, query) }
        } catch (error) {
          // The SDK throws one error for all failed queries. SDKs have these texts for an unknown query.
          const isUnregistered =
            error instanceof QueryNotRegisteredError && /not (register|found)|unknown query/i.test(error.message)
          const isUnknown = error instanceof WorkflowNotFoundError || isUnregistered || !caseNo.isWellFormed()
          if (isUnknown) return unknownCase(caseNo)
          throw error
        }
      }),

    waitForEnd: untilEnd as FlowClient<Own>['waitForEnd'],

    result: untilEnd as FlowClient<Own>['result'],

    watch: <Name extends NameOf<Own>>(caseNo: string, options: WatchOptions = {}) =>
      watch(targetOf<Name>(caseNo), caseNo, options),

    list: (filter = {}) => withCause(client, undefined, () => within(client, listTimeout, () => list(client, filter))),

    handle,

    ...createUpdates(client, taskQueue, handle),
  }
}
