import { TypedSearchAttributes } from '@temporalio/common'
import type { RunInfo } from '#workflows/runtime'

export interface SimulatedRunIds {
  readonly workflowId: string
  readonly flow: string
  readonly runId: string
  readonly firstRunId: string
  /** The run before it. */
  readonly continuedFrom: string | undefined
  readonly startTime: Date
  /** By name. */
  readonly attributes: Readonly<Record<string, unknown>>
  /** Events after which Temporal suggests continue-as-new. */
  readonly suggestedAt: number
}

/** The information of a run that the SDK gives to a flow. */
export function toRunInfo(
  { workflowId, flow, runId, firstRunId, continuedFrom, startTime, attributes, suggestedAt }: SimulatedRunIds,
  historyLength: number,
): RunInfo {
  return {
    workflowId,
    workflowType: flow,
    runId,
    originalExecutionRunId: runId,
    firstExecutionRunId: firstRunId,
    ...(continuedFrom !== undefined && { continuedFromExecutionRunId: continuedFrom }),
    startTime,
    historyLength,
    continueAsNewSuggested: historyLength >= suggestedAt,
    typedSearchAttributes: toTyped(attributes),
  }
}

/** The flow reads single attributes, by the name of their key. */
function toTyped(attributes: Readonly<Record<string, unknown>>): TypedSearchAttributes {
  return Object.assign(new TypedSearchAttributes(), {
    get: ({ name }: { readonly name: string }) => attributes[name] ?? undefined,
  })
}
