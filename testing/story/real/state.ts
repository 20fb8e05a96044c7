import type { FlowClient } from '#client'
import type { FlowStatus } from '#flows'
import type { StoryState } from '#testing/story'

interface StateParts {
  readonly client: Pick<FlowClient, 'handle' | 'status'>
  readonly caseNo: string
  /** The activities that have run. */
  readonly ran?: readonly string[]
}

/** Reads the state of a story from Temporal: the status of its flow, its current details and its end. */
export async function readState({ client, caseNo, ran = [] }: StateParts): Promise<StoryState> {
  const handle = client.handle(caseNo)
  const { status: run } = await handle.describe()
  const status = await readStatus(client, caseNo)
  const metadata = await handle.query<{ currentDetails?: string }, []>('__temporal_workflow_metadata')
  const hasEnded = run.name !== 'RUNNING'
  const { result, failure } = status
  // A flow that is terminated has neither.
  const end = hasEnded ? (result ?? failure) : null
  return {
    step: status.step,
    overdue: status.overdue,
    deadline: status.deadline,
    currentDetails: metadata.currentDetails ?? '',
    outcome: hasEnded ? (result?.outcome ?? 'failed') : null,
    code: hasEnded && result === null ? (failure?.code ?? 'Failed') : null,
    message: failure?.message ?? null,
    shipments: status.shipments,
    leftOver: (end?.leftOver ?? []).map(({ shipmentUid, step, reason }) => ({
      step,
      reason,
      role: status.shipments.find(shipment => shipment.shipmentUid === shipmentUid)?.role ?? null,
    })),
    ran: [...ran],
    outputs: (result ?? {}) as StoryState['outputs'],
  }
}

/** @throws Error for a case without a flow */
export async function readStatus(client: Pick<FlowClient, 'status'>, caseNo: string): Promise<FlowStatus> {
  const found = await client.status(caseNo)
  if (found.kind !== 'Status') throw new Error('Temporal does not know the flow.')
  return found.status
}
