import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError, type WorkflowHandle } from '@temporalio/client'

/** Milliseconds that a flow has to react. */
export const reactionTime = 60_000
/** Milliseconds between two attempts. */
const interval = 50
/** Milliseconds without an event after which a flow waits for its story. A callback of the service arrives long before. */
const quietTime = 10_000

/**
 * Returns the first value that matches. Returns the last one after a minute, or when the flow is quiet. A call without a
 * response, as of a busy server, is retried.
 * @param isQuiet whether a later value can only differ after an event of the story. Absent: it always can
 */
export async function readUntil<Value>(
  read: () => Promise<Value>,
  matches: (value: Value) => boolean,
  isQuiet: () => Promise<boolean> = async () => false,
): Promise<Value> {
  const end = Date.now() + reactionTime
  for (;;) {
    try {
      const value = await read()
      if (matches(value) || Date.now() >= end || (await isQuiet())) return value
    } catch (error) {
      if (!(error instanceof ServiceError) || Date.now() >= end) throw error
    }
    await sleep(interval)
  }
}

/**
 * Returns a function that tells whether a flow waits for its story: it has no task and no activity, and its history has had
 * no event for some seconds. Refused updates add none.
 */
export function watchQuiet(handle: Pick<WorkflowHandle, 'describe'>): () => Promise<boolean> {
  let last = ''
  let since = Date.now()
  return async () => {
    const { raw, runId, historyLength } = await handle.describe()
    const isBusy = raw.pendingWorkflowTask != null || (raw.pendingActivities ?? []).length > 0
    const now = `${runId} ${historyLength}`
    if (isBusy || now !== last) since = Date.now()
    last = now
    return Date.now() - since >= quietTime
  }
}
