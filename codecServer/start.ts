import type { AddressInfo } from 'node:net'
import { createServer } from './server.ts'
import type { CodecServerSettings } from './settings.ts'

export interface CodecServer {
  /** For instance `http://127.0.0.1:8084`. */
  readonly address: string
  /** Answers the requests in flight and stops. */
  stop(): Promise<void>
}

/**
 * Starts a codec server.
 * @throws when the port is in use
 */
export async function startCodecServer(settings: CodecServerSettings): Promise<CodecServer> {
  const app = createServer(settings)
  await app.listen({ host: settings.host, port: settings.port })
  const { port } = app.server.address() as AddressInfo
  const host = settings.host === '0.0.0.0' || settings.host === '::' ? '127.0.0.1' : settings.host
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    async stop() {
      const closed = app.close()
      app.server.closeIdleConnections()
      await closed
    },
  }
}
