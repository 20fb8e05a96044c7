// Workflows of another team, in a namespace of their own, that call the flows by Nexus. See ../README.md.

import { findFlowError, flowService } from '@lockerflow/client/nexus'
import { createNexusServiceClient, NexusOperationCancellationType } from '@temporalio/workflow'

export interface Stock {
  endpoint: string
  caseNo: string
  pupUid: string
}

const box = { AllowLargerLockers: true, AllowOverflowLockers: false, Dimension: { width: 30, height: 15, length: 40 } }

/** Books a locker, and returns its name, or the code with which the booking was refused. The flow goes on alone. */
export async function bookStock({ endpoint, caseNo, pupUid }: Stock): Promise<string> {
  const flows = createNexusServiceClient({ endpoint, service: flowService() })
  const request = { PupUid: pupUid, ...box }
  try {
    const { shipments } = await flows.executeOperation('book', { flow: 'stock', caseNo, request })
    return shipments[0]?.lockerName ?? 'no locker'
  } catch (error) {
    const refusal = findFlowError(error)
    if (refusal === undefined) throw error
    return refusal.code
  }
}

/** Runs a flow until its end. A cancelled workflow waits until the flow has freed its locker. */
export async function runStock({ endpoint, caseNo, pupUid }: Stock): Promise<string> {
  const flows = createNexusServiceClient({ endpoint, service: flowService() })
  const request = { PupUid: pupUid, ...box }
  const { outcome } = await flows.executeOperation(
    'start',
    { flow: 'stock', caseNo, request },
    { cancellationType: NexusOperationCancellationType.WAIT_CANCELLATION_COMPLETED },
  )
  return outcome
}
