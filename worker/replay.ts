import { type History, type ReplayHistoriesIterable, Worker, type WorkflowBundleOption } from '@temporalio/worker'

/** A recorded flow: the history as Temporal's own JSON, which is what `temporal workflow show -o json` writes. */
export interface RecordedFlow {
  readonly workflowId: string
  readonly history: History | unknown
}

export interface ReplayFault {
  readonly workflowId: string
  readonly reason: string
}

/** How a replay went: without a reason it went as the flow did. */
export interface Replayed {
  readonly workflowId: string
  readonly reason?: string
}

/** Replays histories with a bundle, one after the other, and answers each. Nothing comes of none. */
export async function* replayEach(
  workflowBundle: WorkflowBundleOption,
  flows: Iterable<RecordedFlow> | AsyncIterable<RecordedFlow>,
): AsyncGenerator<Replayed> {
  const histories = flows as ReplayHistoriesIterable
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
    yield { workflowId, ...(error && { reason: error.message }) }
  }
}

/**
 * Replays histories with a bundle; answers those that the bundle would have lived through differently.
 * Throws when there is nothing to replay: a check of nothing proves nothing.
 */
export async function replay(
  workflowBundle: WorkflowBundleOption,
  flows: Iterable<RecordedFlow>,
): Promise<ReplayFault[]> {
  const faults: ReplayFault[] = []
  let replayed = 0
  for await (const { workflowId, reason } of replayEach(workflowBundle, flows)) {
    replayed++
    if (reason !== undefined) faults.push({ workflowId, reason })
  }
  if (replayed === 0) throw new Error('there is no history to replay')
  return faults
}
