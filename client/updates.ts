import type { Client, WorkflowHandle } from '@temporalio/client'
import type { AnswerUpdate } from '#flows'
import * as messages from '#flows/messages'
import { defaultTimeout, isTimeout, isTransient, retryUpdate, toResult, withGraceTimeout } from './calls.ts'
import { askTemporal, findMissingResponse, withCause } from './causes.ts'
import { findLargeUpdate } from './input.ts'
import { sendOnce } from './once.ts'
import type { FlowClient, Once } from './types.ts'

/** The flow tries to assign the receiver for a minute. Milliseconds. */
const assignReceiverTimeout = 70_000

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
      async () => findLargeUpdate(argument) ?? (await toResult(client, caseNo, send)),
    )
  const missing = (caseNo: string) => findMissingResponse(client, caseNo, taskQueue)
  const update = <Result>(
    caseNo: string,
    timeout: number,
    send: (handle: WorkflowHandle, updateId: string) => Promise<Result>,
    once?: Once,
  ): Promise<Result> =>
    retryUpdate(
      { client, caseNo },
      timeout,
      updateId =>
        once === undefined
          ? send(handleOf(caseNo), updateId)
          : sendOnce(client, caseNo, once, handle => send(handle, updateId)),
      once?.key,
    )

  return {
    answer: (caseNo, given: AnswerUpdate, { timeout = defaultTimeout } = {}) =>
      call(caseNo, given, async () => {
        const answered = await update(caseNo, timeout, (handle, updateId) =>
          handle.executeUpdate(messages.answer, { args: [given], updateId }),
        )
        return { kind: 'Answered', ...answered }
      }),

    cancel: (caseNo, reason, { timeout = defaultTimeout, once } = {}) =>
      call(caseNo, reason, async () => {
        try {
          const cancelled = await update(
            caseNo,
            timeout,
            (handle, updateId) => handle.executeUpdate(messages.cancel, { args: [{ reason }], updateId }),
            once,
          )
          return { kind: 'Cancelled', ...cancelled }
        } catch (error) {
          if (!isTimeout(error) && !isTransient(error)) throw error
          // Temporal's own cancellation needs no worker and does not count against the limit of updates in flight.
          if ((await askTemporal(client, () => handleOf(caseNo).cancel())) === undefined) throw error
          return { kind: 'CancelPending', caseNo, ...(await missing(caseNo)) }
        }
      }),

    decide: (caseNo, decision, { timeout = defaultTimeout, once } = {}) =>
      call(caseNo, decision, async () => {
        const status = await update(
          caseNo,
          timeout,
          (handle, updateId) => handle.executeUpdate(messages.decide, { args: [decision], updateId }),
          once,
        )
        return { kind: 'Decided', status }
      }),

    assignReceiver: (caseNo, toUserUid, { timeout = assignReceiverTimeout } = {}) =>
      call(caseNo, toUserUid, async () => {
        const status = await update(caseNo, timeout, (handle, updateId) =>
          handle.executeUpdate(messages.assignReceiver, { args: [{ toUserUid }], updateId }),
        )
        return { kind: 'Assigned', status }
      }),

    release: (caseNo, { timeout = defaultTimeout } = {}) =>
      call(caseNo, undefined, async () => {
        try {
          const released = await update(caseNo, timeout, (handle, updateId) =>
            handle.executeUpdate(messages.release, { updateId }),
          )
          return { kind: 'Released', ...released }
        } catch (error) {
          if (!isTimeout(error)) throw error
          // Without a worker the flow has not accepted the release.
          const status = await withGraceTimeout(client, () => handleOf(caseNo).query(messages.status))
          if (status?.state !== 'cleaningUp' && status?.state !== 'ended') throw error
          return { kind: 'ReleasePending', caseNo, ...(await missing(caseNo)) }
        }
      }),
  }
}
