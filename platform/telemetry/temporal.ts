// The trace context in Temporal's headers, for clients and workers.
// Imported by the processes that connect to Temporal. The part inside of workflows is workflows/tracing.ts.
import type { WorkflowClientInterceptor } from '@temporalio/client'
import { defaultPayloadConverter, type Headers } from '@temporalio/common'
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker'
import { type OpenSpan, type Tracing, tracing } from '#platform/telemetry'
import { runSpanIds, type SpanSinks, traceHeader } from './traceContext.ts'

type TraceContext = Readonly<Record<string, string>>

/**
 * The interceptors of a client, which send the trace context with starts, signals and updates. None without tracing.
 *
 * ```ts
 * const client = new Client({ connection: Connection.lazy(), interceptors: { workflow: clientInterceptors() } })
 * ```
 */
export function clientInterceptors(): WorkflowClientInterceptor[] {
  return tracing === undefined ? [] : [traceCalls(tracing)]
}

/** The parts of a worker that record the spans of flows and activities. */
export interface WorkerTracing {
  readonly activity: ActivityInterceptorsFactory
  readonly sinks: InjectedSinks<SpanSinks>
}

/** Undefined without tracing. */
export function workerTracing(): WorkerTracing | undefined {
  return tracing && { activity: traceActivities(tracing), sinks: recordFlows(tracing) }
}

function traceCalls(tracing: Tracing): WorkflowClientInterceptor {
  const inCall = <Result>(name: string, workflowId: string | undefined, call: (headers: Headers) => Promise<Result>) =>
    tracing.inSpan({ name, kind: 'client', attributes: { temporalWorkflowId: workflowId } }, span =>
      call(toHeaders(span)),
    )
  return {
    startWithDetails: (input, next) =>
      inCall(`StartWorkflow:${input.workflowType}`, input.options.workflowId, added =>
        next({ ...input, headers: { ...input.headers, ...added } }),
      ),
    signal(input, next) {
      // The probes of the gateway belong to no trace.
      if (tracing.traceparent() === undefined) return next(input)
      return inCall(`SignalWorkflow:${input.signalName}`, input.workflowExecution.workflowId, added =>
        next({ ...input, headers: { ...input.headers, ...added } }),
      )
    },
    startUpdate: (input, next) =>
      inCall(`StartWorkflowUpdate:${input.updateName}`, input.workflowExecution.workflowId, added =>
        next({ ...input, headers: { ...input.headers, ...added } }),
      ),
    startUpdateWithStart: (input, next) =>
      inCall(`UpdateWithStartWorkflow:${input.workflowType}`, input.workflowStartOptions.workflowId, added =>
        next({
          ...input,
          workflowStartHeaders: { ...input.workflowStartHeaders, ...added },
          updateHeaders: { ...input.updateHeaders, ...added },
        }),
      ),
  }
}

function traceActivities(tracing: Tracing): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      execute(input, next) {
        const { workflowExecution, activityId, activityType, attempt } = info
        const { workflowId, runId } = workflowExecution ?? {}
        const attributes = { temporalWorkflowId: workflowId, run_id: runId, temporalActivityId: activityId, attempt }
        const sent = readContext(input.headers)
        const parent = sent?.traceparent ?? (runId === undefined ? 'none' : rootOf(tracing, runId))
        return tracing.inSpan({ name: `RunActivity:${activityType}`, attributes, parent }, () => next(input))
      },
    },
    outbound: { getLogAttributes: (input, next) => next({ ...tracing.logFields(), ...input }) },
  })
}

function recordFlows(tracing: Tracing): InjectedSinks<SpanSinks> {
  return {
    spans: {
      record: {
        fn({ workflowId, runId }, { name, parent, startTime, isRun }) {
          const root = isRun ? 'none' : rootOf(tracing, runId)
          const span = tracing.startSpan({
            name,
            parent: parent?.traceparent ?? root,
            startTime,
            attributes: { temporalWorkflowId: workflowId, run_id: runId },
            ...(isRun && { ids: runSpanIds(runId) }),
          })
          span.end()
        },
        callDuringReplay: false,
      },
    },
  }
}

/**
 * The span of a run whose starter sent no trace context. The sampler decides by the trace id, so its decision is always
 * the same.
 */
function rootOf(tracing: Tracing, runId: string): string {
  // A span that does not end is not exported.
  return tracing.startSpan({ name: 'RunWorkflow', parent: 'none', ids: runSpanIds(runId) }).traceparent()
}

/**
 * With `traceparent`, whatever the propagators are: the workflow reads it. Without the caller's baggage, which can be about
 * persons: histories keep the headers, and no codec encrypts them.
 */
function toHeaders(span: OpenSpan): Headers {
  const { baggage: _baggage, ...headers } = span.headers()
  const context = { ...headers, traceparent: span.traceparent() }
  return { [traceHeader]: defaultPayloadConverter.toPayload(context) }
}

function readContext(headers: Headers): TraceContext | undefined {
  const payload = headers[traceHeader]
  return payload && defaultPayloadConverter.fromPayload<TraceContext>(payload)
}
