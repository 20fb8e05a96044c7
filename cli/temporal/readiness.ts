import { setTimeout as delay } from 'node:timers/promises'
import { Connection } from '@temporalio/client'

/** What must hold before the server counts as ready. */
export type Readiness = {
  address: string
  namespace: string
  searchAttributeNames: readonly string[]
  timeoutMs: number
  /** Aborted when there is nothing left to wait for. */
  ended: AbortSignal
}

const pauseMs = 40

/** Waits until the server answers and knows the namespace and the search attributes, which it registers late. */
export async function waitUntilReady(readiness: Readiness): Promise<void> {
  const deadline = Date.now() + readiness.timeoutMs
  // grpc-js waits a second after a refused connection unless told otherwise.
  const channelArgs = { 'grpc.initial_reconnect_backoff_ms': pauseMs, 'grpc.max_reconnect_backoff_ms': 5 * pauseMs }
  // No interceptors: the default one retries on its own, deaf to the end of the server.
  const connection = Connection.lazy({ address: readiness.address, channelArgs, interceptors: [] })
  try {
    for (;;) {
      const obstacle = await obstacleOf(connection, readiness)
      if (obstacle === undefined || readiness.ended.aborted) return
      if (Date.now() > deadline) throw new Error(`not ready after ${readiness.timeoutMs / 1000} s: ${obstacle}`)
      await delay(pauseMs, undefined, { signal: readiness.ended }).catch(() => undefined)
    }
  } finally {
    await connection.close()
  }
}

async function obstacleOf(connection: Connection, { namespace, searchAttributeNames, ended }: Readiness) {
  const ask = async () => {
    await connection.workflowService.getSystemInfo({})
    await connection.workflowService.describeNamespace({ namespace })
    return connection.operatorService.listSearchAttributes({ namespace })
  }
  try {
    const known = await connection.withAbortSignal(ended, () => connection.withDeadline(Date.now() + 2_000, ask))
    const missing = searchAttributeNames.filter(name => !(name in known.customAttributes))
    return missing.length === 0 ? undefined : `search attributes missing: ${missing.join(', ')}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
