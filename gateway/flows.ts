import { Client, Connection, isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client'
import { type ShipmentStatus, workflowIdOf } from '#contract/terms'
import { shipmentStatus } from '#workflows/messages'
import type { GatewaySettings } from './settings.ts'

/** Milliseconds that one call may take: without a deadline a server that is away answers after seventeen seconds. */
const deadline = 5_000

/** gRPC status of a request that no repetition mends. */
const invalidArgument = 3

const reconnect = { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 2_000 }

export type Signalled =
  | { readonly outcome: 'signalled' | 'noFlow' }
  /** `why` without anything that was in the message. */
  | { readonly outcome: 'aside' | 'away'; readonly why: string }

/** The flows behind Temporal. */
export interface Flows {
  /** Tells the flow of a case the state of a shipment. Never throws. */
  signal(caseNo: string, status: ShipmentStatus): Promise<Signalled>
  /** What keeps signals from going through now; undefined when nothing does. */
  probe(): Promise<string | undefined>
  close(): Promise<void>
}

/** Connects at the first call, and again by itself: gRPC would let up to two minutes pass before it tries. */
export function connectFlows({ temporal, namespace }: Pick<GatewaySettings, 'temporal' | 'namespace'>): Flows {
  const channelArgs = { ...reconnect, ...temporal.channelArgs }
  // Without the client's own repetitions: the service repeats what got 503, and a repetition that is due when the
  // connection has been closed ends the process.
  const connection = Connection.lazy({ ...temporal, channelArgs, interceptors: [] })
  const client = new Client({ connection, namespace })

  async function send(workflowId: string, status: ShipmentStatus): Promise<Signalled> {
    try {
      const handle = client.workflow.getHandle(workflowId)
      await connection.withDeadline(Date.now() + deadline, () => handle.signal(shipmentStatus, status))
      return { outcome: 'signalled' }
    } catch (error) {
      return read(error)
    }
  }

  return {
    signal: (caseNo, status) => send(workflowIdOf(caseNo), status),
    async probe() {
      // A signal to nobody: only the call itself shows that it is allowed, and where.
      const answer = await send('gateway:probe', { shipmentUid: '', stateCode: '', stateStart: '' })
      return 'why' in answer ? answer.why : undefined
    },
    close: () => connection.close(),
  }
}

function read(error: unknown): Signalled {
  if (error instanceof WorkflowNotFoundError && !/namespace/i.test(error.message)) return { outcome: 'noFlow' }
  const cause = error instanceof Error ? error.cause : undefined
  if (isGrpcServiceError(cause)) {
    const why = `gRPC ${cause.code}: ${cause.details.slice(0, 200)}`
    return { outcome: cause.code === invalidArgument ? 'aside' : 'away', why }
  }
  return { outcome: 'away', why: error instanceof Error ? error.name : 'unknown error' }
}
