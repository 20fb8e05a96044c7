import { setTimeout as delay } from 'node:timers/promises'
import { isLoopbackHost } from '#platform/addresses'
import { listen } from '#platform/http'
import { toListenerAddress } from '#platform/settings'
import {
  createAcceptedTokens,
  createTokenEndpoint,
  createTokens,
  createVerifyBearer,
  openSigningKeys,
} from './auth/index.ts'
import { openSecrets, openStagingKeys, type Secrets } from './encryption/index.ts'
import {
  createAdapterClient,
  createAdapterHealth,
  createContacts,
  createDoorReports,
  createOpenDoor,
} from './hardware/index.ts'
import { createServiceApp } from './http/index.ts'
import { handlers } from './operations/index.ts'
import { createOutbox } from './outbox/index.ts'
import { startRetention } from './retention/index.ts'
import { createTraffic } from './sandbox/index.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { inTransaction, nameStore, openStore, type Store } from './store/index.ts'
import { applyTopology, demoTopology } from './topology/index.ts'

/** A service in this process. */
export interface Service {
  /** Address by which callers reach the service, without a trailing slash. */
  readonly address: string
  readonly port: number
  readonly settings: Settings
  readonly store: Store
  readonly secrets: Secrets
  /**
   * Rejects new requests, waits for running requests and for callbacks in flight, and closes the store. Connections are
   * accepted and answered with 503 for `drainDelay`, and requests are aborted after `shutdownTimeout`. A second call
   * waits for the first.
   */
  stop(): Promise<void>
}

/**
 * Starts the service in this process. Absent settings have their defaults.
 *
 * ```ts
 * const service = await startService({ databaseUrl: 'file:service.db', port: 8080 })
 * console.log(service.address)
 * await service.stop()
 * ```
 * @throws Error when the store cannot be opened, the topology contradicts it, or the port is in use
 */
export async function startService(overrides: Partial<Settings> = {}): Promise<Service> {
  const settings: Settings = { ...defaultSettings, ...overrides }
  const store = await openStore(settings.databaseUrl, settings)
  try {
    const { clientIds, pupUids } = await applyTopology(store, settings.topology, settings.clock())
    if (clientIds.length > 0)
      settings.log.warn({ logId: 'topology-secrets-ignored', clientIds }, 'client secrets of the topology ignored')
    if (pupUids.length > 0)
      settings.log.warn({ logId: 'topology-entries-ignored', pupUids }, 'retired entries of the topology ignored')
    return await serve(settings, store)
  } catch (error) {
    await store.destroy()
    throw nameStore(settings.databaseUrl, error)
  }
}

async function serve(settings: Settings, store: Store): Promise<Service> {
  const state = { address: '' }
  const stopping = new AbortController()
  const parts = await createParts(settings, store, () => state.address)
  const { app, port } = await startApp(settings, parts, stopping.signal).catch(async error => {
    await parts.stop()
    throw error
  })
  state.address = settings.publicUrl?.replace(/\/+$/, '') ?? toListenerAddress(settings.host, port)
  const retention = startRetention({ ...settings, store })
  const stopMeasuring = settings.observer?.measure(store)

  async function stop(): Promise<void> {
    stopping.abort()
    stopMeasuring?.()
    const purged = retention.stop()
    await delay(settings.drainDelay)
    const closeTimer = setTimeout(() => app.server.closeAllConnections(), settings.shutdownTimeout)
    await app.close()
    clearTimeout(closeTimer)
    await parts.stop()
    await purged
    // Waits for transactions that are still running.
    await inTransaction(store, async () => undefined).catch(() => undefined)
    await store.destroy()
  }

  let stopped: Promise<void> | undefined
  return {
    address: state.address,
    port,
    settings,
    store,
    secrets: parts.app.secrets,
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

type Parts = Awaited<ReturnType<typeof createParts>>

/**
 * Creates everything that the app needs, and that has connections or works in the background until `stop`.
 * @param address returns the address of the service, which is known when it listens
 */
async function createParts(settings: Settings, store: Store, address: () => string) {
  const { clock, log, tokenLifetime, hardwareAdapters: adapters } = settings
  const secrets = await openSecrets({
    store,
    log,
    keyEncryption: settings.keyEncryption ?? (await openStagingKeys(store, settings.databaseUrl)),
  })
  const keys = await openSigningKeys(store, { ...settings, secrets })
  const accepted = await createAcceptedTokens({ store, keys, secrets, pollInterval: settings.revocationPollInterval })
  const tokens = createTokens({ keys, accepted, issuer: address, tokenLifetime, clock })
  const { environment, recentTraffic } = settings
  const traffic = environment === 'staging' && recentTraffic > 0 ? createTraffic(recentTraffic, clock) : undefined
  const outbox = createOutbox({ ...settings, store, secrets, onDelivery: traffic?.noteDelivery })
  const contacts = createContacts(log)
  const client = createAdapterClient({ adapters, contacts, clock })
  const adapterHealth = createAdapterHealth({ store, adapters, client, contacts })
  const doorReports = adapters.length > 0 ? createDoorReports({ store, client, clock, log }) : undefined
  const hardware = doorReports === undefined ? settings.hardware : client
  return {
    app: {
      store,
      secrets,
      keys,
      address,
      verifyBearer: createVerifyBearer({ tokens, accepted, clock }),
      tokenEndpoint: createTokenEndpoint({ ...settings, store, tokens }),
      openDoor: createOpenDoor({ ...settings, hardware, onFailure: doorReports?.inspect }),
      doorReports,
      adapterHealth,
      wake: outbox.wake,
      reserve: outbox.reserve,
      probe: outbox.probe,
      traffic,
    },
    async stop(): Promise<void> {
      await client.close()
      await doorReports?.stop()
      await adapterHealth.stop()
      await outbox.stop()
      await accepted.stop()
    },
  }
}

async function startApp(settings: Settings, parts: Parts, stopping: AbortSignal) {
  const { host, topology } = settings
  const hasPublicSecrets = topology === demoTopology && isLoopbackHost(host)
  const app = createServiceApp({ ...settings, ...parts.app, handlers, hasPublicSecrets, stopping })
  return { app, port: await listen(app, settings) }
}
