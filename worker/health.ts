import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
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
