import type { DataConverter, Payload } from '@temporalio/common'
import { type History, Worker, type WorkflowBundleOption } from '@temporalio/worker'
import { markBundle } from './bundle.ts'
import { toHistory } from './histories.ts'
import { readFailure } from './logger.ts'
import { type OnEdge, type ReplayedEdge, toReplaySinks } from './sinks.ts'

/** A recorded flow: the history as Temporal's own JSON, which is what `temporal workflow show -o json` writes. */
export interface RecordedFlow {
  readonly workflowId: string
  readonly history: History | unknown
}

export interface ReplayFault {
  readonly workflowId: string
  readonly reason: string
}

/** The result of one replay. Without a reason it succeeded. */
export interface ReplayResult {
  readonly workflowId: string
  readonly reason?: string
}

/**
 * Replays histories with a bundle, one by one, and yields the result of each. Yields nothing for an empty input.
 * @param dataConverter decrypts payloads; without it, encrypted histories do not replay
 */
export async function* replayEach(
  workflowBundle: WorkflowBundleOption,
  flows: Iterable<RecordedFlow> | AsyncIterable<RecordedFlow>,
  dataConverter?: DataConverter,
  onEdge?: OnEdge,
): AsyncGenerator<ReplayResult> {
  // Without the failure converter: the reason of a replay that fails must stay readable.
  const payloadCodecs = (dataConverter?.payloadCodecs ?? []).map(codec => ({
    decode: codec.decode.bind(codec),
    // A replay's results are discarded.
    encode: async (payloads: Payload[]) => payloads,
  }))
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle, sinks: toReplaySinks(onEdge), dataConverter: { payloadCodecs } },
    readEach(flows),
  )) {
    yield { workflowId, ...(error && { reason: toReason(error.message) }) }
  }
}

/** The message of a workflow task that fails, and the line that throws, without the notation of the core and the whole stack. */
function toReason(message: string): string {
  const failure = message.includes('Failure {') ? readFailure(message) : undefined
  if (failure === undefined) return message
  const [, place] = /\\n +at (.+?\))\\n/.exec(message) ?? []
  const text = failure.replaceAll('\\"', '"')
  return `Replay failed: the workflow task failed: ${text}${place === undefined ? '' : `, at ${place}`}`
}

async function* readEach(flows: Iterable<RecordedFlow> | AsyncIterable<RecordedFlow>) {
  for await (const { workflowId, history } of flows) yield { workflowId, history: toHistory(history) }
}

/**
 * Replays histories with a bundle and returns those that fail.
 * @throws Error for an empty input: an empty check proves nothing
 */
export async function replay(
  workflowBundle: WorkflowBundleOption,
  flows: Iterable<RecordedFlow>,
  dataConverter?: DataConverter,
): Promise<ReplayFault[]> {
  const faults: ReplayFault[] = []
  let replayed = 0
  for await (const { workflowId, reason } of replayEach(workflowBundle, flows, dataConverter)) {
    replayed++
    if (reason !== undefined) faults.push({ workflowId, reason })
  }
  if (replayed === 0) throw new Error('histories: must contain at least one history.')
  return faults
}

/**
 * Replays histories, and returns the edges that their runs took, in order.
 * @throws Error for a history that does not replay
 */
export async function replayEdges(
  workflowBundle: WorkflowBundleOption,
  flows: Iterable<RecordedFlow>,
  dataConverter?: DataConverter,
): Promise<ReplayedEdge[]> {
  const bundle = await markBundle(workflowBundle, { encrypts: false, traced: false, recordsEdges: true })
  const edges: ReplayedEdge[] = []
  const results = replayEach(bundle, flows, dataConverter, edge => {
    edges.push(edge)
  })
  for await (const { workflowId, reason } of results) {
    if (reason !== undefined) throw new Error(`${workflowId}: the history does not replay: ${reason}`)
  }
  return edges
}
