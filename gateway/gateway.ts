import type { AddressInfo } from 'node:net'
import { createApi } from '#api'
import type { Aside } from './aside.ts'
import { connectFlows } from './flows.ts'
import type { Counts } from './outcomes.ts'
import { createReadiness } from './readiness.ts'
import { registerAtService } from './registration.ts'
import { createServer } from './server.ts'
import { type GatewaySettings, keysOf } from './settings.ts'

/** Milliseconds after which a stop cuts the connections that are left. */
const stopTimeout = 8_000

export interface Gateway {
  /** For instance `http://127.0.0.1:8081`. */
  readonly address: string
  readonly port: number
  readonly counts: Counts
  /** Settles when the service knows the gateway and Temporal answers, both for the first time. */
  readonly ready: Promise<void>
  /** The last messages that can never be accepted. */
  aside(): readonly Aside[]
  /** Answers what is under way and stops, within ten seconds. */
  stop(): Promise<void>
}

/**
 * Starts a gateway. It listens when this settles and is ready later: neither the service nor Temporal has to be there.
 * Throws when the port is taken or an address is malformed.
 */
export async function startGateway(settings: GatewaySettings): Promise<Gateway> {
  const { host, port: wanted, keys, weakScheme, profile, log } = settings
  const stopping = new AbortController()
  const api = createApi(settings.api)
  const flows = connectFlows(settings)
  const readiness = createReadiness(flows.probe, log, stopping.signal)
  const verification = { keys: keysOf(keys), weakScheme, standardWebhooks: profile.standardWebhooks }
  const { app, counts, aside } = createServer({ verification, flows, readiness, log, stopping: stopping.signal })

  let registering: Promise<void> | undefined
  async function close(): Promise<void> {
    stopping.abort()
    const timer = setTimeout(() => app.server.closeAllConnections(), stopTimeout)
    await Promise.all([app.close(), Promise.resolve(registering).then(() => api.close())])
    clearTimeout(timer)
    await flows.close()
  }
  try {
    await app.listen({ host, port: wanted })
  } catch (error) {
    await close()
    throw error
  }

  const { port } = app.server.address() as AddressInfo
  const address = addressOf(host, port)
  const url = `${(settings.url ?? address).replace(/\/+$/, '')}/callbacks`
  // Only now: the service may send what it holds back the moment it is told.
  registering = registerAtService(api, url, keys.current, log, stopping.signal).then(accepted => {
    if (accepted) readiness.registered()
  })
  let stopped: Promise<void> | undefined
  return {
    address,
    port,
    counts,
    ready: readiness.first,
    aside,
    stop() {
      stopped ??= close()
      return stopped
    },
  }
}

/** What listens everywhere is reached on loopback, unless a setting knows better. */
function addressOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
