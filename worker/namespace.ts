import { msToTs } from '@temporalio/common'
import type { NativeConnection } from '@temporalio/worker'
import { grpcStatuses } from '#contract/terms'
import { grpcStatusOf } from './temporalErrors.ts'

/** Limit and interval of the checks after a registration, in milliseconds: the parts of the server see it at different times. */
const visible = { within: 60_000, every: 200 }

/**
 * Creates the namespace if it does not exist. An existing one stays unchanged, its retention too.
 * @param retention of the history of an ended flow, in milliseconds
 * @returns true when it was created
 */
export async function ensureNamespace(
  connection: NativeConnection,
  namespace: string,
  { retention }: { retention: number },
): Promise<boolean> {
  const { workflowService, operatorService } = connection
  const existed = await exists(() => workflowService.describeNamespace({ namespace }))
  if (!existed) {
    // Two preparations at the same time are allowed.
    await workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs(retention) })
      .catch(ignoringStatus(grpcStatuses.alreadyExists, undefined))
  }
  // Also for an existing one: another preparation may have created it a moment ago.
  const listAttributes = () => operatorService.listSearchAttributes({ namespace })
  for (const start = Date.now(); !(await exists(listAttributes)); ) {
    if (Date.now() - start > visible.within)
      throw new Error(`TEMPORAL_NAMESPACE: Temporal does not serve the new namespace ${namespace} yet. Try again.`)
    await new Promise(resolve => setTimeout(resolve, visible.every))
  }
  return !existed
}

function exists(read: () => Promise<unknown>): Promise<boolean> {
  return read().then(() => true, ignoringStatus(grpcStatuses.notFound, false))
}

function ignoringStatus<Instead>(status: number, instead: Instead): (error: unknown) => Instead {
  return error => {
    if (grpcStatusOf(error) === status) return instead
    throw error
  }
}
