import { readEnvironment } from './environment.ts'
import { startCodecServer } from './start.ts'

/** The address of a codec server. */
export interface ReadyCodecServer {
  readonly decode: string
}

/**
 * Runs a codec server in this process until SIGTERM or SIGINT. Resolves when it listens.
 * @throws SettingsError with every problem
 */
export async function runCodecServer(
  onReady: (ready: ReadyCodecServer, line: string) => void,
  source?: NodeJS.ProcessEnv,
): Promise<void> {
  const server = await startCodecServer(readEnvironment(source))
  const stop = () => void server.stop().then(() => process.exit())
  process.once('SIGTERM', stop).once('SIGINT', stop)
  const decode = `${server.address}/decode`
  onReady({ decode }, `codec ready: payloads at ${decode}`)
}
