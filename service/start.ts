import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { handlers } from './operations/index.ts'
import { createOutbox } from './outbox/index.ts'
import { createServer, sweepIdempotencyKeys } from './server/index.ts'
import { defaultSettings, type Settings } from './settings.ts'
import {
  createTokenCheck,
  createTokenEndpoint,
  createTokens,
  createWrongSecrets,
  openSigningKeys,
} from './signIn/index.ts'
import { inTransaction, openStore, type Store } from './store/index.ts'
import { sweepUploads } from './suggestions/index.ts'
import { applyTopology } from './topology/index.ts'

/** How often expired Idempotency-Keys and uploads are swept away, in milliseconds. */
const sweepEvery = 600_000

export interface Service {
  /** Where callers reach it, without a slash at the end. */
  readonly address: string
  readonly port: number
  readonly settings: Settings
  readonly store: Store
  /**
   * Turns new requests away, for `farewell` still with an answer, lets running ones and callbacks under way come to their end, and closes the store.
   * Requests that outlast `stopTimeout` are cut. A second call waits for the first.
   */
  stop(): Promise<void>
}

/**
 * Starts the service in this process; settings that are not given have their defaults.
 * @throws Error when the store cannot be opened, the topology contradicts it, or the port is taken
 */
export async function startService(given: Partial<Settings> = {}): Promise<Service> {
  const settings: Settings = { ...defaultSettings, ...given }
  const store = await openStore(settings.databaseUrl, settings)
  try {
    await applyTopology(store, settings.topology, settings.clock())
    return await serve(settings, store)
  } catch (error) {
    await store.destroy()
    throw error
  }
}

async function serve(settings: Settings, store: Store): Promise<Service> {
  const { clock, log, publicUrl, tokenLife } = settings
  const state = { address: '', stopping: false }
  const address = () => state.address
  const keys = await openSigningKeys(store, settings)
  const tokens = await createTokens({ keys, issuer: address, tokenLife, clock })
  const outbox = createOutbox({ ...settings, store })
  const app = createServer({
    ...settings,
    store,
    handlers,
    keys,
    address,
    check: createTokenCheck(tokens, clock),
    endpoint: createTokenEndpoint({ store, tokens, tokenLife, wrongSecrets: createWrongSecrets(clock) }),
    stopping: () => state.stopping,
    wake: outbox.wake,
  })
  const sweep = () =>
    Promise.all([sweepIdempotencyKeys(store, clock()), sweepUploads(store, clock())]).catch(error =>
      log.warn({ err: error }, 'what is over was not swept'),
    )
  await sweep()

  try {
    await app.listen({ host: settings.host, port: settings.port })
  } catch (error) {
    await outbox.stop()
    throw error
  }
  const { port } = app.server.address() as AddressInfo
  state.address = publicUrl?.replace(/\/+$/, '') ?? `http://${reachable(settings.host)}:${port}`
  const sweeping = setInterval(sweep, sweepEvery).unref()

  async function stop(): Promise<void> {
    state.stopping = true
    clearInterval(sweeping)
    await pause(settings.farewell)
    const cut = setTimeout(() => app.server.closeAllConnections(), settings.stopTimeout)
    await app.close()
    clearTimeout(cut)
    await outbox.stop()
    // Behind whatever is still being written.
    await inTransaction(store, async () => undefined).catch(() => undefined)
    await store.destroy()
  }

  let stopped: Promise<void> | undefined
  return {
    address: state.address,
    port,
    settings,
    store,
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

/** Where to reach on this machine what listens on `host`. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
