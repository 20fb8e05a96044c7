import { once } from 'node:events'
import { createServer, type Http2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'

/** A gRPC server that answers every call with the given status, which a real Temporal server cannot be made to do. */
export async function startGrpcStandIn(status: number, message: string) {
  const sessions = new Set<Http2Session>()
  const server = createServer()
  server.on('session', session => sessions.add(session))
  server.on('stream', stream => {
    stream.resume()
    stream.on('error', () => {})
    const headers = { ':status': 200, 'content-type': 'application/grpc+proto' }
    stream.respond({ ...headers, 'grpc-status': String(status), 'grpc-message': message }, { endStream: true })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const session of sessions) session.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
