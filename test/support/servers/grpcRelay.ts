import { once } from 'node:events'
import { connect, createServer, type Http2Session, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'

/** Faults and events of a call of gRPC, by the name of its method. */
export interface GrpcFaults {
  /** The gRPC status with which the call fails; undefined passes it on. */
  refuse?(method: string): number | undefined
  /** Runs when the call was answered, before the caller has its answer. */
  after?(method: string): Promise<void>
}

/** A connection to Temporal on which a test counts calls, and lets some fail. */
export interface GrpcRelay {
  readonly address: string
  /** The methods of the calls that were passed on, in order. */
  readonly passed: readonly string[]
  stop(): Promise<void>
}

/** Starts a relay to a gRPC server. It passes unary calls on, one stream each. */
export async function startGrpcRelay(target: string, { refuse, after }: GrpcFaults): Promise<GrpcRelay> {
  const far = connect(`http://${target}`)
  const sessions = new Set<Http2Session>([far])
  const passed: string[] = []
  const server = createServer()
  server.on('session', session => sessions.add(session))
  server.on('stream', (near, headers) => {
    const method = headers[':path']?.split('/').at(-1) ?? ''
    const status = refuse?.(method)
    near.on('error', () => {})
    if (status === undefined) {
      passed.push(method)
      // The caller has gone, or Temporal.
      pass(near, headers, method).catch(() => near.destroy())
      return
    }
    near.resume()
    const refusal = { 'grpc-status': String(status), 'grpc-message': 'refused by the relay' }
    near.respond({ ':status': 200, 'content-type': 'application/grpc', ...refusal }, { endStream: true })
  })

  async function pass(near: ServerHttp2Stream, headers: IncomingHttpHeaders, method: string): Promise<void> {
    const call = far.request(headers)
    call.on('error', () => near.destroy())
    near.on('close', () => call.close())
    near.pipe(call)
    let trailers: IncomingHttpHeaders = {}
    call.on('trailers', found => {
      trailers = found
    })
    const [answer] = await once(call, 'response')
    const chunks: Buffer[] = await call.toArray()
    await after?.(method)
    const isBare = answer['grpc-status'] !== undefined
    near.respond(answer, isBare ? { endStream: true } : { waitForTrailers: true })
    near.on('wantTrailers', () => near.sendTrailers(trailers))
    if (!isBare) near.end(Buffer.concat(chunks))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    async stop() {
      for (const session of sessions) session.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
