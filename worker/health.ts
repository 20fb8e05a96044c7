import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { commonHeaders, healthPaths, type Missing, toReadiness } from '#contract'
import type { RunningWorker } from './worker.ts'

export interface Health {
  readonly port: number
  close(): void
}

/**
 * Serves `GET /health/live` and `GET /health/ready` of a worker.
 * @param host the address to listen on; all addresses by default
 */
export async function serveHealth(
  worker: Pick<RunningWorker, 'notReadyReason'>,
  port: number,
  host?: string,
): Promise<Health> {
  const server = createServer(({ method, url }, response) => {
    if (method !== 'GET') return respond(response, 405, {})
    if (url === healthPaths.live) return respond(response, 200, { live: true })
    if (url !== healthPaths.ready) return respond(response, 404, {})
    void worker
      .notReadyReason()
      .then(reason =>
        reason === undefined
          ? respond(response, 200, toReadiness([]))
          : respond(response, 503, { ...toReadiness([{ name: nameOf(reason), reason }]), reason }),
      )
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Milliseconds between two checks for the log. */
const reportInterval = 10_000

/**
 * Logs why a running worker gets no work, once per change: at the start, and later when the namespace, a search attribute or
 * the current build is gone. Temporal's SDK retries its polls without a line.
 * @returns a function that ends the checks
 */
export function reportReadiness(
  worker: Pick<RunningWorker, 'notReadyReason'>,
  log: Pick<Logger, 'warn'>,
  interval = reportInterval,
): () => void {
  let last: string | undefined
  let timer: NodeJS.Timeout | undefined
  let isEnded = false

  async function check(): Promise<void> {
    const reason = await worker.notReadyReason()
    if (isEnded) return
    if (reason !== undefined && reason !== last) log.warn({ logId: 'worker-not-ready', reason }, 'worker not ready')
    last = reason
    timer = setTimeout(check, interval).unref()
  }

  void check()
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}

/** The part that a reason is about, by its beginning; Temporal itself otherwise. */
const names: readonly (readonly [RegExp, Missing['name']])[] = [
  [/^the worker is /, 'running'],
  [/^the deployment /, 'build'],
  [/^Search attributes /, 'searchAttributes'],
  [/^TEMPORAL_NAMESPACE: /, 'namespace'],
]

function nameOf(reason: string): Missing['name'] {
  return names.find(([pattern]) => pattern.test(reason))?.[1] ?? 'temporal'
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', ...commonHeaders }).end(JSON.stringify(body))
}
