import { setTimeout as delay } from 'node:timers/promises'
import { Connection } from '@temporalio/client'

/** Conditions of a ready server. */
export type Readiness = {
  address: string
  namespace: string
  searchAttributeNames: readonly string[]
  timeoutMs: number
  /** Stops the wait when it aborts. */
  ended: AbortSignal
}

const pauseMs = 40

/**
 * Waits until the server responds and has registered the namespace and the search attributes.
 * @throws Error after the timeout
 */
export async function waitUntilReady(readiness: Readiness): Promise<void> {
  const deadline = Date.now() + readiness.timeoutMs
  // By default, grpc-js waits a second after a refused connection.
  const channelArgs = { 'grpc.initial_reconnect_backoff_ms': pauseMs, 'grpc.max_reconnect_backoff_ms': 5 * pauseMs }
  // No interceptors: the default one retries even when the server has ended.
  const connection = Connection.lazy({ address: readiness.address, channelArgs, interceptors: [] })
  try {
    for (;;) {
      const reason = await notReadyReason(connection, readiness)
      if (reason === undefined || readiness.ended.aborted) return
      if (Date.now() > deadline) throw new Error(`not ready after ${readiness.timeoutMs / 1000} s: ${reason}`)
      await delay(pauseMs, undefined, { signal: readiness.ended }).catch(() => undefined)
    }
  } finally {
    await connection.close()
  }
}

async function notReadyReason(connection: Connection, { namespace, searchAttributeNames, ended }: Readiness) {
  const request = async () => {
    await connection.workflowService.getSystemInfo({})
    await connection.workflowService.describeNamespace({ namespace })
    return connection.operatorService.listSearchAttributes({ namespace })
  }
  try {
    const known = await connection.withAbortSignal(ended, () => connection.withDeadline(Date.now() + 2_000, request))
    const missing = searchAttributeNames.filter(name => !(name in known.customAttributes))
    return missing.length === 0 ? undefined : `search attributes missing: ${missing.join(', ')}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
