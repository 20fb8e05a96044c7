import type { DataConverter } from '@temporalio/common'
import { type FlowPlan, searchAttributes } from '#flows'
import type { LeftStep, PictureSource } from '#flows/pictureOfRun'

interface RecordedPayload {
  readonly metadata?: Readonly<Record<string, string>>
  readonly data?: string
}

interface RecordedPayloads {
  readonly payloads?: readonly RecordedPayload[]
}

interface RecordedAttributes {
  readonly searchAttributes?: { readonly indexedFields?: Readonly<Record<string, RecordedPayload>> }
}

export interface RecordedHistory {
  readonly events: readonly {
    readonly eventType: string
    readonly workflowExecutionStartedEventAttributes?: RecordedAttributes & { readonly input?: RecordedPayloads }
    readonly activityTaskCompletedEventAttributes?: { readonly result?: RecordedPayloads }
    readonly upsertWorkflowSearchAttributesEventAttributes?: RecordedAttributes
    readonly workflowExecutionCompletedEventAttributes?: { readonly result?: RecordedPayloads }
    readonly workflowExecutionContinuedAsNewEventAttributes?: { readonly input?: RecordedPayloads }
  }[]
}

/** The progress with which a run continues as new. `way`: absent in runs that began without it. */
interface CarriedProgress {
  readonly plan: FlowPlan
  readonly way?: readonly LeftStep[]
  /** The first one is that of the flow itself. */
  readonly tokens: readonly CarriedToken[]
}

interface CarriedToken {
  readonly step: number
  readonly since: number
  readonly deadline: number | null
}

export interface RecordedRun extends Pick<PictureSource, 'plan' | 'outcome' | 'overdue'> {
  /** The progress of the run before it. */
  readonly before: CarriedProgress | undefined
  /** The progress for the run after it. */
  readonly after: CarriedProgress | undefined
  /** The state as lists show it. */
  readonly state: string | undefined
}

/**
 * The plan of a run, its progress where it continued as new, and its end.
 * @throws Error for a history that ended before its plan
 */
export async function readRecord(
  { events }: RecordedHistory,
  converter: DataConverter | undefined,
): Promise<RecordedRun> {
  const [started] = events
  const last = events.at(-1)
  const [, before] = await decode(started?.workflowExecutionStartedEventAttributes?.input, converter)
  const [, after] = await decode(last?.workflowExecutionContinuedAsNewEventAttributes?.input, converter)
  const results = events.map(({ activityTaskCompletedEventAttributes: completed }) => completed?.result)
  const [first] = await decode(results.find(Boolean), converter)
  const planned = (before ?? first) as { readonly plan?: FlowPlan } | FlowPlan | undefined
  const plan = planned !== undefined && 'plan' in planned ? planned.plan : (planned as FlowPlan | undefined)
  if (plan?.steps === undefined) throw new Error('history: must contain the plan of the flow.')
  const [result] = await decode(last?.workflowExecutionCompletedEventAttributes?.result, converter)
  const { outcome } = (result ?? {}) as { readonly outcome?: string }
  return {
    plan,
    before: before as CarriedProgress | undefined,
    after: after as CarriedProgress | undefined,
    outcome: outcome ?? toOutcome(last?.eventType),
    state: lastAttribute(events, searchAttributes.state.name) as string | undefined,
    overdue: lastAttribute(events, searchAttributes.overdue.name) === true,
  }
}

/** The ends of a run that has no result, by the event in Temporal's words. */
const outcomes: Readonly<Record<string, string>> = {
  completed: 'completed',
  failed: 'failed',
  canceled: 'cancelled',
  terminated: 'terminated',
  timedout: 'timed out',
}

/** @param eventType of the last event, as the command or the Web UI writes it; null for an event that ends nothing */
function toOutcome(eventType = ''): string | null {
  const [, end = ''] = /^(?:EVENT_TYPE_)?WORKFLOW_?EXECUTION_?([A-Z_]+)$/i.exec(eventType) ?? []
  return outcomes[end.replaceAll('_', '').toLowerCase()] ?? null
}

/** The last value of a search attribute, which is never encrypted. */
function lastAttribute(events: RecordedHistory['events'], name: string): unknown {
  const values = events.flatMap(event => {
    const attributes =
      event.upsertWorkflowSearchAttributesEventAttributes ?? event.workflowExecutionStartedEventAttributes
    const payload = attributes?.searchAttributes?.indexedFields?.[name]
    return payload === undefined ? [] : [payload]
  })
  const last = values.at(-1)
  return last === undefined ? undefined : parse(Buffer.from(last.data ?? '', 'base64'))
}

/** The values of payloads in Temporal's JSON. */
async function decode(
  recorded: RecordedPayloads | undefined,
  converter: DataConverter | undefined,
): Promise<unknown[]> {
  const payloads = (recorded?.payloads ?? []).map(({ metadata = {}, data = '' }) => ({
    metadata: Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')])),
    data: Buffer.from(data, 'base64'),
  }))
  const codecs = converter?.payloadCodecs ?? []
  let plain: { readonly data?: Uint8Array | null }[] = payloads
  for (const codec of codecs.toReversed()) plain = await codec.decode(plain as typeof payloads)
  return plain.map(({ data }) => parse(data))
}

function parse(data: Uint8Array | null | undefined): unknown {
  return data && data.length > 0 ? JSON.parse(Buffer.from(data).toString()) : undefined
}
