import { readFile } from 'node:fs/promises'
import { Client } from '@temporalio/client'
import type { DataConverter } from '@temporalio/common'
import {
  type FlowPicture,
  type FlowPlan,
  type FlowStatus,
  type LeftStep,
  type PictureSource,
  toPicture,
  toWorkflowId,
} from '#flows'
import { bundleFlows, ensureRuntime, readPromotion, readTemporalTarget, replayEdges } from '#worker'
import { readHistory } from '../replay/files.ts'
import { connectTemporal } from '../temporalConnection.ts'

/** Milliseconds. */
const queryTimeout = 10_000

/** True for the name of a declaration file, or a pattern of such files. Anything else is a case number. */
export function isDeclarationFile(given: string): boolean {
  return /\.(m?[jt]s|ya?ml|json)$|[*?{}[\]]/.test(given)
}

/** True for an exported history, which may have the name of a declaration in JSON. */
export async function isHistory(file: string): Promise<boolean> {
  if (!file.endsWith('.json')) return false
  const text = await readFile(file, 'utf8').catch(() => '')
  return /^\s*(\{\s*"events"\s*:|\[\s*\{\s*"event)/.test(text)
}

/**
 * The picture of a running or ended case, by the query of a worker.
 * @throws Error if Temporal knows no such case, no worker answers, or the flow is not planned yet
 */
export async function readCasePicture(caseNo: string, environment: NodeJS.ProcessEnv): Promise<FlowPicture> {
  const { temporal, namespace, dataConverter } = readTemporalTarget(environment)
  const connection = await connectTemporal(temporal)
  try {
    const client = new Client({ connection, namespace, ...(dataConverter && { dataConverter }) })
    const status = await client.withDeadline(Date.now() + queryTimeout, () =>
      client.workflow.getHandle(toWorkflowId(caseNo)).query<FlowStatus, [object]>('status', { picture: true }),
    )
    if (status.picture) return status.picture
    throw new Error(`case: must be planned before it has a picture, ${caseNo} is not.`)
  } finally {
    await connection.close()
  }
}

/**
 * The picture of a recorded case, by a replay of its history, which says when each step began and ended. Deadlines are not in it.
 * @throws Error for a history that does not replay, or ended before its plan
 */
export async function readHistoryPicture(file: string, environment: NodeJS.ProcessEnv): Promise<FlowPicture> {
  const { bundle, dataConverter } = readPromotion({}, environment)
  const recorded = await readHistory(file)
  const { plan, way, outcome } = await readRecord(recorded.history as RecordedHistory, dataConverter)
  ensureRuntime('ERROR')
  const edges = await replayEdges(bundle ?? (await bundleFlows()), [recorded], dataConverter)
  const toIndex = (declared: number) => plan.steps.findIndex((step, index) => (step.declared ?? index) === declared)
  for (const { step, cause, next, at } of edges) {
    const from = toIndex(step)
    const to = next === null ? (cause === 'reached' ? plan.steps.length : null) : toIndex(next)
    if (to !== from) way.push({ step: from, cause, next: to, at })
  }
  const since = way.at(-1)?.at ?? null
  const source = { plan, way, since, deadline: null, overdue: false, outcome }
  return toPicture({ ...source, step: outcome === null ? (way.at(-1)?.next ?? 0) : null })
}

interface RecordedPayload {
  readonly metadata?: Readonly<Record<string, string>>
  readonly data?: string
}

interface RecordedPayloads {
  readonly payloads?: readonly RecordedPayload[]
}

interface RecordedHistory {
  readonly events: readonly {
    readonly workflowExecutionStartedEventAttributes?: { readonly input?: RecordedPayloads }
    readonly activityTaskCompletedEventAttributes?: { readonly result?: RecordedPayloads }
    readonly workflowExecutionCompletedEventAttributes?: { readonly result?: RecordedPayloads }
    readonly workflowExecutionFailedEventAttributes?: object
  }[]
}

interface RecordedRun extends Pick<PictureSource, 'outcome'> {
  readonly plan: FlowPlan
  readonly way: LeftStep[]
}

/** The plan of a run, and the way of the runs before it. */
async function readRecord({ events }: RecordedHistory, converter: DataConverter | undefined): Promise<RecordedRun> {
  const [started] = events
  const [, carried] = await decode(started?.workflowExecutionStartedEventAttributes?.input, converter)
  const results = events.map(({ activityTaskCompletedEventAttributes: completed }) => completed?.result)
  const [first] = await decode(results.find(Boolean), converter)
  const planned = (carried ?? first) as { readonly plan?: FlowPlan; readonly way?: LeftStep[] } | FlowPlan | undefined
  const plan = planned !== undefined && 'plan' in planned ? planned.plan : (planned as FlowPlan | undefined)
  if (plan?.steps === undefined) throw new Error('history: must contain the plan of the flow.')
  const last = events.at(-1)
  const [result] = await decode(last?.workflowExecutionCompletedEventAttributes?.result, converter)
  const { outcome = null } = (result ?? {}) as { readonly outcome?: string }
  const hasFailed = last?.workflowExecutionFailedEventAttributes !== undefined
  const way = planned !== undefined && 'way' in planned ? [...(planned.way ?? [])] : []
  return { plan, way, outcome: outcome ?? (hasFailed ? 'failed' : null) }
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
  return plain.map(({ data }) => (data && data.length > 0 ? JSON.parse(Buffer.from(data).toString()) : undefined))
}
