import { enableCompileCache } from 'node:module'
import type { OnReady } from '#platform/process'

// Shortens later starts. The cache must be enabled before the sources are loaded.
enableCompileCache()
const { nameListener } = await import('#platform/ports')
const { reportStopFailure, reportUnknownNames, runMain, stopOnSignals } = await import('#platform/process')
const { startCodecServer } = await import('./server.ts')
const { readSettings } = await import('./settings.ts')

/** The address of a codec server. */
export interface ReadyCodecServer {
  readonly decode: string
}

/**
 * Runs a codec server in this process until SIGTERM or SIGINT. Resolves when it listens.
 * @throws SettingsError with every problem
 */
export async function runCodecServer(onReady: OnReady<ReadyCodecServer>, source?: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(source)
  reportUnknownNames(settings.log, source)
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

if (import.meta.main) await runMain('codec', runCodecServer)
