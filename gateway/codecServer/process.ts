import { listen } from '#platform/http'
import { nameListener, reportStopFailure, stopOnSignals, toListenerAddress } from '#platform/settings'
import { readEnvironment } from './environment.ts'
import { createCodecServer } from './server.ts'
import type { CodecServerSettings } from './settings.ts'

/** Milliseconds after which a stop closes the remaining connections. */
const stopTimeout = 8_000

/** The address of a codec server. */
export interface ReadyCodecServer {
  readonly decode: string
}

export interface CodecServer {
  /** For instance `http://127.0.0.1:8084`. */
  readonly address: string
  /** Answers the requests in flight and stops, within ten seconds. */
  stop(): Promise<void>
}

/**
 * Runs a codec server in this process until SIGTERM or SIGINT. Resolves when it listens.
 * @throws SettingsError with every problem
 */
export async function runCodecServer(
  onReady: (ready: ReadyCodecServer, line: string) => void,
  source?: NodeJS.ProcessEnv,
): Promise<void> {
  const settings = readEnvironment(source)
  const server = await startCodecServer(settings).catch(error => {
    throw nameListener(error, { LOCKERFLOW_CODEC: settings })
  })
  stopOnSignals(async () => {
    await server.stop().catch(reportStopFailure('codec'))
    process.exit()
  })
  const decode = `${server.address}/decode`
  onReady({ decode }, `codec ready: payloads at ${decode}`)
}

/**
 * Starts a codec server.
 * @throws when the port is in use
 */
export async function startCodecServer(settings: CodecServerSettings): Promise<CodecServer> {
  const app = createCodecServer(settings)
  const port = await listen(app, settings)
  return {
    address: toListenerAddress(settings.host, port),
    async stop() {
      // Once it closes, the server no longer ends requests that are late.
      const timer = setTimeout(() => app.server.closeAllConnections(), stopTimeout)
      try {
        const closed = app.close()
        app.server.closeIdleConnections()
        await closed
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
