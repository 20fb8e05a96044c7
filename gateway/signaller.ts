import { Client, Connection, NamespaceNotFoundError, WorkflowNotFoundError } from '@temporalio/client'
import { grpcStatuses } from '#contract/terms'
import { type ShipmentStatus, toWorkflowId } from '#flows'
import { shipmentStatus } from '#flows/messages'
import { clientInterceptors } from '#platform/telemetry/temporal'
import { findGrpcStatus, type ProbeFault, reconnect } from './grpc.ts'
import type { GatewaySettings } from './settings.ts'

/** Limit of one call, in milliseconds. Without it a call to a server that is down fails after seventeen seconds. */
const signalTimeout = 5_000

/** Temporal's text for a run that takes no more signals, 10,000 by default. Its status is that of an invalid signal. */
const tooManySignals = /limit for signal events/i

/** Seconds until a callback can reach the next run of such a flow, which begins when the work of its step has ended. */
const nextRunAfter = 60

/**
 * Temporal's text for a flow that tried to end while a signal came: it takes no more until it has handled that one. Its status
 * is also that of an overloaded Temporal.
 */
const closing = /workflow is closing/i

/** Seconds until such a flow has ended or goes on. */
const closedAfter = 1

/** Statuses of a Temporal that did not respond. */
const transientStatuses: readonly number[] = [grpcStatuses.deadlineExceeded, grpcStatuses.unavailable]

export type SignalResult =
  | { readonly outcome: 'signalled' | 'noFlow' }
  /** `reason` contains nothing of the message. */
  | { readonly outcome: 'rejected'; readonly reason: string }
  | ({ readonly outcome: 'unavailable' } & ProbeFault)
  /** The case or the shipment had too many signals, or the flow is ending. `retryAfter` in seconds. */
  | { readonly outcome: 'limited'; readonly reason: string; readonly retryAfter: number }

/** The part of Temporal that is missing, by the gRPC status. Every other status is a fault of Temporal itself. */
const lackedBy: Readonly<Record<number, ProbeFault['lacks']>> = {
  [grpcStatuses.notFound]: 'namespace',
  [grpcStatuses.permissionDenied]: 'permission',
  [grpcStatuses.unauthenticated]: 'permission',
}

/** Sends signals to flows. */
export interface Signaller {
  /** Signals the state of a shipment to the flow of its case. Never throws. */
  signal(caseNo: string, status: ShipmentStatus): Promise<SignalResult>
  /** Undefined when signals succeed. */
  probe(): Promise<ProbeFault | undefined>
  close(): Promise<void>
  readonly client: Client
}

/** Connects on the first call. */
export function connectSignaller({
  temporal,
  namespace,
  dataConverter,
}: Pick<GatewaySettings, 'temporal' | 'namespace' | 'dataConverter'>): Signaller {
  const channelArgs = { ...reconnect, ...temporal.channelArgs }
  // No client retries: the service retries callbacks that got 503, and a retry that is due after the connection was
  // closed ends the process.
  const connection = Connection.lazy({ ...temporal, channelArgs, interceptors: [] })
  const client = new Client({
    connection,
    namespace,
    interceptors: { workflow: clientInterceptors() },
    ...(dataConverter && { dataConverter }),
  })

  async function send(workflowId: string, status: ShipmentStatus): Promise<SignalResult> {
    try {
      const handle = client.workflow.getHandle(workflowId)
      await connection.withDeadline(Date.now() + signalTimeout, () => handle.signal(shipmentStatus, status))
      return { outcome: 'signalled' }
    } catch (error) {
      return toSignalResult(error, temporal.address)
    }
  }

  return {
    signal: (caseNo, status) => send(toWorkflowId(caseNo), status),
    async probe() {
      // Signals an unknown workflow: only a real call proves permissions and namespace.
      const result = await send('gateway:probe', { shipmentUid: '', stateCode: '', stateStart: '' })
      if (!('reason' in result)) return undefined
      return { reason: result.reason, lacks: 'lacks' in result ? result.lacks : 'temporal' }
    },
    close: () => connection.close(),
    client,
  }
}

function toSignalResult(error: unknown, address = ''): SignalResult {
  if (error instanceof WorkflowNotFoundError) {
    // The message about a flow ends with its id, in which a case number can have any word.
    if (!/^namespace/i.test(error.message)) return { outcome: 'noFlow' }
    return { outcome: 'unavailable', lacks: 'namespace', reason: error.message.slice(0, 200) }
  }
  const status = findGrpcStatus(error)
  if (status !== undefined) {
    const { code, text } = status
    if (tooManySignals.test(text)) return { outcome: 'limited', reason: text, retryAfter: nextRunAfter }
    if (closing.test(text)) return { outcome: 'limited', reason: text, retryAfter: closedAfter }
    const reason = transientStatuses.includes(code)
      ? `TEMPORAL_ADDRESS: Temporal could not be reached at ${address}: ${text}`
      : text
    if (code === grpcStatuses.invalidArgument) return { outcome: 'rejected', reason }
    return { outcome: 'unavailable', lacks: lackedBy[code] ?? 'temporal', reason }
  }
  if (error instanceof NamespaceNotFoundError)
    return { outcome: 'unavailable', lacks: 'namespace', reason: error.message.slice(0, 200) }
  return { outcome: 'unavailable', lacks: 'temporal', reason: error instanceof Error ? error.name : 'unknown error' }
}
