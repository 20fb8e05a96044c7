import { enableCompileCache } from 'node:module'
import type { OnReady } from '#platform/process'

// Shortens later starts. The cache must be enabled before the sources are loaded.
enableCompileCache()
const { nameListener } = await import('#platform/ports')
const { beginProcess, reportStopFailure, runMain, stopOnSignals } = await import('#platform/process')
const { startGateway } = await import('./gateway.ts')
const { loadSettings } = await import('./settings.ts')

/** The addresses of a gateway that receives callbacks. */
export interface ReadyGateway {
  readonly callbacks: string
  /** Undefined without a listener for flows. */
  readonly flows: string | undefined
}

/**
 * Runs a gateway in this process until SIGTERM or SIGINT. Resolves when it listens.
 * @throws SettingsError with every problem
 */
export async function runGateway(onReady: OnReady<ReadyGateway>, source?: NodeJS.ProcessEnv): Promise<void> {
  const { settings, telemetry } = await beginProcess('gateway', source, () => loadSettings({}, source))
  // Not loaded without metrics.
  const observer = telemetry.metrics ? (await import('./metrics.ts')).createObserver(settings.log) : undefined
  const listeners = {
    LOCKERFLOW_METRICS: telemetry.prometheus,
    LOCKERFLOW_GATEWAY: settings,
    LOCKERFLOW_FLOW_API: settings.flowApi,
  }
  const gateway = await startGateway({ ...settings, observer }).catch(error => {
    throw nameListener(error, listeners)
  })
  stopOnSignals(async () => {
    await gateway.stop().catch(reportStopFailure('gateway'))
    await telemetry.stop()
    // A pending call to an unavailable Temporal would keep the process alive for seconds.
    process.exit()
  })
  // Not awaited: a gateway that is stopped before it is ready must end too.
  void gateway.ready.then(() => {
    const callbacks = `${gateway.address}/callbacks`
    const flows = gateway.flowApiAddress && `${gateway.flowApiAddress}/flows`
    onReady({ callbacks, flows }, `gateway ready: callbacks at ${callbacks}${flows ? `, flows at ${flows}` : ''}`)
  })
}

if (import.meta.main) await runMain('gateway', runGateway)
