import { once } from 'node:events'
import { createServer, type Http2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'

/** A length-prefixed message of gRPC, without compression. */
function toFrame(bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

/**
 * A gRPC server that answers every call with the given status, which a real Temporal server cannot be made to do.
 * @param answers messages of calls that succeed, by the name of the method; each is read once for a call
 */
export async function startGrpcStandIn(
  status: number,
  message: string,
  answers: Readonly<Record<string, Uint8Array | undefined>> = {},
) {
  const sessions = new Set<Http2Session>()
  const server = createServer()
  server.on('session', session => sessions.add(session))
  server.on('stream', (stream, { ':path': path = '' }) => {
    stream.resume()
    stream.on('error', () => {})
    const headers = { ':status': 200, 'content-type': 'application/grpc+proto' }
    const answer = answers[path.split('/').at(-1) ?? '']
    if (answer !== undefined) {
      stream.respond(headers, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
      stream.end(toFrame(answer))
      return
    }
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
