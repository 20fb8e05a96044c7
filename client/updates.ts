import type { Client, WorkflowHandle } from '@temporalio/client'
import { type AnswerUpdate, findCancelFault } from '#flows'
import * as messages from '#flows/messages'
import { defaultTimeout, isPaused, isTimeout, isTransient, isUpdateLimit, retryUpdate, toResult } from './calls.ts'
import { askTemporal, findMissingResponse, withCause } from './causes.ts'
import { findLarge } from './input.ts'
import { sendOnce } from './once.ts'
import { refused } from './refusals.ts'
import type { FlowClient, Once } from './types.ts'

/** The calls that are updates of a flow. */
export function createUpdates(
  client: Client,
  taskQueue: string,
  handleOf: (caseNo: string) => ReturnType<FlowClient['handle']>,
): Pick<FlowClient, 'answer' | 'cancel' | 'decide' | 'assignReceiver' | 'release'> {
  const call = <Response>(caseNo: string, argument: unknown, send: () => Promise<Response>) =>
    withCause(
      client,
      { caseNo, taskQueue },
      async () => findLarge('The update', argument) ?? (await toResult(client, caseNo, send)),
    )
  const missing = (caseNo: string) => findMissingResponse(client, caseNo, taskQueue)
  const update = <Result, Args extends unknown[]>(
    caseNo: string,
    definition: messages.UpdateDefinition<Result, Args>,
    args: Args,
    timeout: number,
    once?: Once,
  ): Promise<Result> =>
    retryUpdate(
      { client, caseNo },
      timeout,
      updateId => {
        const send = (handle: WorkflowHandle) =>
          handle.executeUpdate<Result, [unknown]>(definition.name, { args: args as never, updateId })
        return once === undefined ? send(handleOf(caseNo)) : sendOnce(client, caseNo, once, send)
      },
      once?.key,
    )

  const answer: FlowClient['answer'] = (caseNo, given: AnswerUpdate, { timeout = defaultTimeout } = {}) =>
    call(caseNo, given, async () => ({
      kind: 'Answered',
      ...(await update(caseNo, messages.answer, [given], timeout)),
    }))

  return {
    answer,

    cancel: (caseNo, reason, { timeout = defaultTimeout, once } = {}) =>
      call(caseNo, reason, async () => {
        const argument = reason === undefined ? {} : { reason }
        // Without a worker, Temporal cancels the flow whatever the argument.
        const fault = findCancelFault(argument)
        if (fault !== undefined) return refused('InvalidFlowInput', fault)
        try {
          return { kind: 'Cancelled', ...(await update(caseNo, messages.cancel, [argument], timeout, once)) }
        } catch (error) {
          if (![isTimeout, isTransient, isUpdateLimit, isPaused].some(allows => allows(error))) throw error
          // Temporal's own cancellation needs no worker and does not count as an update.
          if ((await askTemporal(client, () => handleOf(caseNo).cancel())) === undefined) throw error
          return { kind: 'CancelPending', caseNo, ...(await missing(caseNo)) }
        }
      }),

    decide: (caseNo, decision, { timeout = defaultTimeout, once } = {}) =>
      call(caseNo, decision, async () => ({
        kind: 'Decided',
        status: await update(caseNo, messages.decide, [decision], timeout, once),
      })),

    assignReceiver: (caseNo, toUserUid, options) =>
      answer(caseNo, { step: 'naming', answer: 'named', fields: { toUserUid } }, options),

    release: (caseNo, options) => answer(caseNo, { step: 'kept', answer: 'release' }, options),
  }
}
