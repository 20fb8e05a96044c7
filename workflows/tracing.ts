import {
  defaultPayloadConverter,
  type Headers,
  proxySinks,
  type WorkflowInterceptors,
  workflowInfo,
} from '@temporalio/workflow'
import { runSpanIds, type SpanSinks, traceHeader } from '#platform/telemetry/traceContext'

type TraceContext = Readonly<Record<string, string>>

/** Set by worker/bundle.ts if the worker records spans. */
const { lockerflowIsTraced = false } = globalThis as { lockerflowIsTraced?: boolean }

/**
 * Passes the trace context of a start to the activities and the next run, and has the worker record the spans of the
 * run. It changes neither commands nor random numbers, so a history replays with and without it.
 */
export const interceptors = (): WorkflowInterceptors => (lockerflowIsTraced ? traceRun() : {})

function traceRun(): WorkflowInterceptors {
  const { spans } = proxySinks<SpanSinks>()
  const { runId, workflowType, startTime } = workflowInfo()
  let ownHeader: Headers = {}
  let logFields: Record<string, string> = {}

  function recordMessage(name: string, headers: Headers): void {
    spans.record({ name, parent: readContext(headers), startTime: Date.now(), isRun: false })
  }

  return {
    inbound: [
      {
        execute(input, next) {
          const parent = readContext(input.headers)
          const own = parent && continueInRun(parent, runId)
          if (own !== undefined) {
            ownHeader = { [traceHeader]: defaultPayloadConverter.toPayload(own.context) }
            logFields = own.logFields
          }
          spans.record({ name: `RunWorkflow:${workflowType}`, parent, startTime: startTime.getTime(), isRun: true })
          return next(input)
        },
        handleSignal(input, next) {
          recordMessage(`HandleSignal:${input.signalName}`, input.headers)
          return next(input)
        },
        handleUpdate(input, next) {
          recordMessage(`HandleUpdate:${input.name}`, input.headers)
          return next(input)
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...ownHeader } }),
        startChildWorkflowExecution: (input, next) => next({ ...input, headers: { ...input.headers, ...ownHeader } }),
        continueAsNew: (input, next) => next({ ...input, headers: { ...input.headers, ...ownHeader } }),
        getLogAttributes: (input, next) => next({ ...logFields, ...input }),
      },
    ],
  }
}

/** The trace context in the headers of a start, a signal or an update. Undefined for a malformed one. */
function readContext(headers: Headers): TraceContext | undefined {
  const payload = headers[traceHeader]
  if (payload === undefined) return undefined
  try {
    return defaultPayloadConverter.fromPayload<TraceContext>(payload)
  } catch {
    return undefined
  }
}

/** The context for the activities of a run: in the trace of its parent, below the span of the run. */
function continueInRun(parent: TraceContext, runId: string) {
  const [version, traceId, , flags] = parent.traceparent?.split('-') ?? []
  if (version === undefined || traceId === undefined || flags === undefined) return undefined
  const { spanId } = runSpanIds(runId)
  return {
    context: { ...parent, traceparent: `${version}-${traceId}-${spanId}-${flags}` },
    logFields: { trace_id: traceId, span_id: spanId },
  }
}
