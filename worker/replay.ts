import { type History, type ReplayHistoriesIterable, Worker, type WorkflowBundle } from '@temporalio/worker'

/** A recorded flow: the history as Temporal's own JSON, which is what `temporal workflow show -o json` writes. */
export interface RecordedFlow {
  readonly workflowId: string
  readonly history: History | unknown
}

export interface ReplayFault {
  readonly workflowId: string
  readonly reason: string
}

/**
 * Replays histories with a bundle; answers those that the bundle would have lived through differently.
 * Throws when there is nothing to replay: a check of nothing proves nothing.
 */
export async function replay(workflowBundle: WorkflowBundle, flows: Iterable<RecordedFlow>): Promise<ReplayFault[]> {
  const faults: ReplayFault[] = []
  let replayed = 0
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle },
    flows as ReplayHistoriesIterable,
  )) {
    replayed++
    if (error !== undefined) faults.push({ workflowId, reason: error.message })
  }
  if (replayed === 0) throw new Error('there is no history to replay')
  return faults
}
