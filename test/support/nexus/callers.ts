import {
  createNexusServiceClient,
  NexusOperationCancellationType,
  type NexusOperationHandle,
} from '@temporalio/workflow'
import { findFlowError, flowService } from '#client/nexus'

/** A call of one operation, by name and with any input: the types would exclude the wrong ones. */
export interface Call {
  readonly endpoint: string
  readonly operation: 'start' | 'book' | 'status' | 'cancel' | 'decide'
  readonly input: unknown
}

export type Called = { readonly result: unknown } | { readonly code: string; readonly message: string }

/** Executes one operation. Returns its result, or its code. */
export async function callFlows({ endpoint, operation, input }: Call): Promise<Called> {
  const flows = createNexusServiceClient({ endpoint, service: flowService() })
  try {
    const started: NexusOperationHandle<unknown> = await flows.startOperation(operation, input as never, {
      cancellationType: NexusOperationCancellationType.WAIT_CANCELLATION_COMPLETED,
    })
    return { result: await started.result() }
  } catch (error) {
    const found = findFlowError(error)
    if (found === undefined) throw error
    return { ...found }
  }
}
