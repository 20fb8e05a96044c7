import { loadTogether, nameListener, reportStopFailure, stopOnSignals } from '#platform/settings'
import { readTelemetry, startTelemetry } from '#platform/telemetry'
import { startGateway } from './gateway.ts'
import { readProcess } from './processSettings.ts'

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
export async function runGateway(
  onReady: (ready: ReadyGateway, line: string) => void,
  source?: NodeJS.ProcessEnv,
): Promise<void> {
  const { settings } = await loadTogether({
    settings: () => readProcess({}, source),
    telemetry: () => readTelemetry('gateway', source),
  })
  const telemetry = await startTelemetry(
    'gateway',
    reason => settings.log.warn({ logId: 'telemetry-not-exported', reason }, 'telemetry not exported'),
    { source },
  )
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
