import { setLogContext } from '#platform/logs'
import { readTelemetry, type TelemetrySettings } from './environment.ts'
import { setTracing } from './tracing.ts'

/** The running telemetry of a process. */
export interface Telemetry extends TelemetrySettings {
  /** Exports what is left and stops, within `stopTimeout`. Never throws. */
  stop(): Promise<void>
}

const off = { async stop() {} }

/**
 * Starts the telemetry that the OTEL_ variables switch on. Call it before the parts of the process start, and stop it
 * after them. OpenTelemetry's packages are loaded only if it is on.
 *
 * ```ts
 * const telemetry = await startTelemetry('starter', reason => console.error(reason))
 * // Start flows.
 * await telemetry.stop()
 * ```
 *
 * @param name of the process, for instance `service`
 * @param ownMetrics false if the process exports its metrics by itself, from the returned settings
 * @param source the environment with the variables, by default that of the process
 * @param report gets the reason when an export fails, at most once in ten seconds for each reason
 * @throws SettingsError with every problem
 */
export async function startTelemetry(
  name: string,
  report: (reason: string) => void,
  {
    ownMetrics = true,
    source,
  }: { readonly ownMetrics?: boolean; readonly source?: NodeJS.ProcessEnv | undefined } = {},
): Promise<Telemetry> {
  const read = readTelemetry(name, source)
  const settings = { ...read, metrics: read.metrics && ownMetrics }
  if (!settings.traces && !settings.metrics) return { ...settings, ...off }
  const { startSdk } = await import('./sdk.ts')
  const { tracing, shutdown } = startSdk(settings, report, source)
  setTracing(tracing)
  setLogContext(tracing?.logFields)
  return {
    ...settings,
    async stop() {
      setTracing(undefined)
      setLogContext(undefined)
      const { promise: timedOut, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, settings.stopTimeout)
      await Promise.race([shutdown().catch(() => undefined), timedOut])
      clearTimeout(timer)
    },
  }
}
