import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RunningWorker } from './worker.ts'

export interface Health {
  readonly port: number
  close(): void
}

/** Answers `GET /health/live` and `GET /health/ready` for a worker, which has no other reason to listen. */
export async function answerHealth(worker: Pick<RunningWorker, 'hindrance'>, port: number): Promise<Health> {
  const server = createServer(({ method, url }, response) => {
    if (method !== 'GET') return answer(response, 405, {})
    if (url === '/health/live') return answer(response, 200, { live: true })
    if (url !== '/health/ready') return answer(response, 404, {})
    void worker
      .hindrance()
      .then(why =>
        why === undefined ? answer(response, 200, { ready: true }) : answer(response, 503, { ready: false, why }),
      )
  })
  server.listen(port)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
