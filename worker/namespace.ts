import { msToTs } from '@temporalio/common'
import type { NativeConnection } from '@temporalio/worker'

/** gRPC's numbers. */
const notFound = 5
const alreadyExists = 6

/** How long a new namespace may take until every part of the server knows it, in milliseconds. */
const settling = { within: 60_000, every: 200 }

/**
 * Makes sure that the namespace is there. One that is there stays as it is, its retention too.
 * @param retention how long the history of an ended flow is kept, in milliseconds
 * @returns whether it was made
 */
export async function ensureNamespace(
  connection: NativeConnection,
  namespace: string,
  { retention }: { retention: number },
): Promise<boolean> {
  const { workflowService, operatorService } = connection
  const wasThere = await isThere(() => workflowService.describeNamespace({ namespace }))
  if (!wasThere) {
    // Two that prepare at the same time are no fault.
    await workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs(retention) })
      .catch(unless(alreadyExists, undefined))
  }
  // Also when it was there: somebody may have made it a moment ago.
  const known = () => operatorService.listSearchAttributes({ namespace })
  for (const start = Date.now(); !(await isThere(known)); ) {
    if (Date.now() - start > settling.within) throw new Error(`Temporal does not know its new namespace ${namespace}`)
    await new Promise(resolve => setTimeout(resolve, settling.every))
  }
  return !wasThere
}

function isThere(ask: () => Promise<unknown>): Promise<boolean> {
  return ask().then(() => true, unless(notFound, false))
}

function unless<Instead>(code: number, instead: Instead): (error: unknown) => Instead {
  return error => {
    if (error instanceof Error && 'code' in error && error.code === code) return instead
    throw error
  }
}
