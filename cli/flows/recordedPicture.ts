import type { FlowPicture } from '#flows'
import { toPicture } from '#flows/pictureOfRun'
import { bundleFlows, ensureRuntime, readHistory, readPromotion, replayEdges } from '#worker'
import { type RecordedHistory, readRecord } from './recordedRun.ts'

/**
 * The picture of a recorded case, by a replay of its history, which says when each step began and ended. The deadline of the
 * current step is known only if the run continued as new in it.
 * @throws Error for a history that does not replay, or ended before its plan
 */
export async function readHistoryPicture(file: string, environment: NodeJS.ProcessEnv): Promise<FlowPicture> {
  const { bundle, dataConverter } = readPromotion({}, environment)
  const recorded = await readHistory(file)
  const { plan, before, after, outcome, state, overdue } = await readRecord(
    recorded.history as RecordedHistory,
    dataConverter,
  )
  ensureRuntime('ERROR')
  const edges = await replayEdges(bundle ?? (await bundleFlows()), [recorded], dataConverter)
  const toIndex = (declared: number) => plan.steps.findIndex((step, index) => (step.declared ?? index) === declared)
  const way = [...(before?.way ?? [])]
  const [start] = before?.tokens ?? []
  const [end] = after?.tokens ?? []
  let step = start?.step ?? 0
  for (const { step: declared, cause, next, at } of edges) {
    const from = toIndex(declared)
    // A block that begins or ends a list stays where it is.
    const to = next === null ? (cause === 'reached' ? plan.steps.length : null) : next === 'done' ? from : toIndex(next)
    if (to === from) continue
    way.push({ step: from, cause, next: to, at })
    step = to ?? from
  }
  const last = way.at(-1)
  const isEnding = last?.next === null || ['cleaningUp', 'ended'].includes(state ?? '')
  const hasEnded = outcome !== null || isEnding || step >= plan.steps.length
  return toPicture({
    ...{ plan, way, step, hasEnded, outcome },
    since: end?.since ?? last?.at ?? start?.since ?? null,
    deadline: hasEnded ? null : (end?.deadline ?? null),
    overdue: overdue && !hasEnded,
  })
}
