import type { FlowClient } from '#client'
import type { FlowStatus } from '#flows'
import type { CaseState } from '#testing/cases'
import type { RealParts } from './parts.ts'

interface StateParts {
  readonly client: Pick<FlowClient, 'handle' | 'status'>
  readonly caseNo: string
  readonly parts: Pick<RealParts, 'played'>
}

/** Reads the state of a case from Temporal: the status of its flow, its current details and its end. */
export async function readCaseState({ client, caseNo, parts }: StateParts): Promise<CaseState> {
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
    ran: [...(parts.played.get(caseNo)?.ran ?? [])],
    outputs: (result ?? {}) as CaseState['outputs'],
  }
}

/** @throws Error for a case without a flow */
export async function readStatus(client: Pick<FlowClient, 'status'>, caseNo: string): Promise<FlowStatus> {
  const found = await client.status(caseNo)
  if (found.kind !== 'Status') throw new Error('Temporal does not know the flow.')
  return found.status
}
