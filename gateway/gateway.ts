import { createApi } from '#contract/client'
import { listen } from '#platform/http'
import { toListenerAddress } from '#platform/settings'
import { traceApiCall } from '#platform/telemetry'
import { type FlowApi, startFlowApi } from './flowApi/index.ts'
import { limitSignals } from './limitedSignals.ts'
import { watchLockers } from './lockerOutages.ts'
import type { Counts, RejectedCallback } from './outcomes.ts'
import { createReadiness } from './readiness.ts'
import { expectCallbacks, registerCallback } from './registration.ts'
import { createGatewayServer } from './server.ts'
import { type GatewaySettings, loadSettings, toCallbackAddress, verificationKeys } from './settings.ts'
import { connectSignaller } from './signaller.ts'

/** Milliseconds after which a stop closes the remaining connections. */
const stopTimeout = 8_000

/**
 * Milliseconds for which a stop waits for calls of the service. Only a request for a token can be in flight then: a stop aborts
 * all other calls.
 */
const closeTimeout = 500

/** A gateway in this process. */
export interface Gateway {
  /** For instance `http://127.0.0.1:8081`. */
  readonly address: string
  readonly port: number
  /** The address at which callers start flows; undefined without that listener. */
  readonly flowApiAddress: string | undefined
  readonly counts: Counts
  /** Resolves when the gateway is ready for the first time: registered with the service and connected to Temporal. */
  readonly ready: Promise<void>
  /** The last hundred rejected callbacks. */
  rejected(): readonly RejectedCallback[]
  /** Answers the requests in flight and stops, within ten seconds. */
  stop(): Promise<void>
}

/**
 * Starts a gateway in this process. Settings that are absent come from the environment, as those of the process
 * `lockerflow gateway` do. It listens when the promise resolves and becomes ready later: neither the service nor Temporal
 * must be up.
 *
 * ```ts
 * const gateway = await startGateway({ port: 8081 })
 * process.once('SIGTERM', () => gateway.stop())
 * await gateway.ready
 * ```
 * @throws SettingsError with every problem of the environment and of the files that it names
 * @throws Error when the port is taken or an address is malformed
 */
export async function startGatewayFromEnvironment(settings: Partial<GatewaySettings> = {}): Promise<Gateway> {
  return startGateway(await loadSettings(settings))
}

/**
 * Starts a gateway. It listens when the promise resolves and becomes ready later: neither the service nor Temporal must
 * be up.
 * @throws when the port is taken or an address is malformed
 */
export async function startGateway(settings: GatewaySettings): Promise<Gateway> {
  const { host, keys, uidSignatureScheme, profile, registers = true, log } = settings
  const stopping = new AbortController()
  const api = createApi({ ...settings.api, closeTimeout, trace: traceApiCall })
  const signaller = connectSignaller(settings)
  const readiness = createReadiness(signaller.probe, log, stopping.signal, settings.probeInterval)
  const verification = { keys: verificationKeys(keys), uidSignatureScheme, standardWebhooks: profile.standardWebhooks }
  const { observer, namespace, taskQueue } = settings
  const { clock = Date.now, outageInterval } = settings
  const signal = limitSignals(signaller)
  const parts = { verification, signaller, signal, readiness, log, observer, clock, stopping: stopping.signal }
  const { app, counts, rejected } = createGatewayServer(parts)
  const stopMeasuring = observer?.measure({ client: signaller.client, namespace, taskQueue, state: readiness.state })

  let registering: Promise<void> | undefined
  let watching: Promise<void> | undefined
  let flowApi: FlowApi | undefined
  async function close(): Promise<void> {
    stopping.abort()
    stopMeasuring?.()
    const timer = setTimeout(() => app.server.closeAllConnections(), stopTimeout)
    const closed = [
      app.close(),
      flowApi?.stop(stopTimeout),
      Promise.all([registering, watching]).then(() => api.close()),
    ]
    await Promise.all(closed)
    clearTimeout(timer)
    await signaller.close()
  }
  let port: number
  try {
    port = await listen(app, settings)
    const { flowApi: flowApiSettings } = settings
    flowApi = flowApiSettings && (await startFlowApi(flowApiSettings, { ...settings, ...parts }))
  } catch (error) {
    await close()
    throw error
  }

  const address = toListenerAddress(host, port)
  const url = toCallbackAddress(settings.url ?? address)
  // After `listen`: the service may send pending callbacks immediately.
  registering = (
    registers ? registerCallback(api, url, keys.current, log, stopping.signal) : expectCallbacks(url, log)
  ).then(accepted => {
    if (accepted) readiness.registered()
  })
  // Once the service has accepted the API client.
  const outages = { ...parts, api, interval: outageInterval }
  watching = registering.then(() => (profile.reads ? watchLockers(outages) : undefined))
  let stopped: Promise<void> | undefined
  return {
    address,
    port,
    flowApiAddress: flowApi?.address,
    counts,
    ready: readiness.first,
    rejected,
    stop() {
      stopped ??= close()
      return stopped
    },
  }
}
