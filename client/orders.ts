import type { Client } from '@temporalio/client'
import * as messages from '#workflows/messages'
import { answered, handleOf, shortly } from './asking.ts'
import type { FlowClient } from './flowClient.ts'
import { isDeadline, isPassing } from './refusals.ts'
import { repeatedly } from './repeating.ts'

/** Milliseconds. */
export const defaultDeadline = 30_000
/** The flow asks the service for a minute before it gives up. */
const assigningDeadline = 70_000

/** What one can order a flow to do, each an update of it. */
export function createOrders(client: Client): Pick<FlowClient, 'cancel' | 'decide' | 'assignReceiver' | 'release'> {
  return {
    cancel: (caseNo, reason, { deadline = defaultDeadline } = {}) =>
      answered(client, caseNo, async () => {
        const handle = handleOf(client, caseNo)
        try {
          const cancelled = await repeatedly(client, deadline, updateId =>
            handle.executeUpdate(messages.cancel, { args: [{ reason }], updateId }),
          )
          return { kind: 'Cancelled', ...cancelled }
        } catch (error) {
          if (!isDeadline(error) && !isPassing(error)) throw error
          // Needs no worker, and no place among the updates.
          if ((await shortly(client, () => handle.cancel())) === undefined) throw error
          return { kind: 'CancelPending', caseNo }
        }
      }),

    decide: (caseNo, decision, { deadline = defaultDeadline } = {}) =>
      answered(client, caseNo, async () => {
        const status = await repeatedly(client, deadline, updateId =>
          handleOf(client, caseNo).executeUpdate(messages.decide, { args: [decision], updateId }),
        )
        return { kind: 'Decided', status }
      }),

    assignReceiver: (caseNo, toUserUid, { deadline = assigningDeadline } = {}) =>
      answered(client, caseNo, async () => {
        const status = await repeatedly(client, deadline, updateId =>
          handleOf(client, caseNo).executeUpdate(messages.assignReceiver, { args: [{ toUserUid }], updateId }),
        )
        return { kind: 'Assigned', status }
      }),

    release: (caseNo, { deadline = defaultDeadline } = {}) =>
      answered(client, caseNo, async () => {
        const handle = handleOf(client, caseNo)
        try {
          const released = await repeatedly(client, deadline, updateId =>
            handle.executeUpdate(messages.release, { updateId }),
          )
          return { kind: 'Released', ...released }
        } catch (error) {
          if (!isDeadline(error)) throw error
          // Without a worker nobody has taken it.
          const status = await shortly(client, () => handle.query(messages.status))
          if (status?.state !== 'cleaningUp' && status?.state !== 'ended') throw error
          return { kind: 'ReleasePending', caseNo }
        }
      }),
  }
}
