import type { JWK } from 'jose'
import type { Logger } from 'pino'
import { defaultUidSignatureScheme, type UidSignatureScheme } from '#contract'
import { createLog } from '#platform/logs'
import type { TrustProxy } from '#platform/settings'
import type { KeyEncryption } from './encryption/index.ts'
import type { EventRate } from './hardware/doorReports.ts'
import { type Hardware, type HardwareAdapter, simulatedHardware } from './hardware/hardware.ts'
import type { Observer } from './observer.ts'
import type { DeliverySettings } from './outbox/index.ts'
import { defaultRetention, type RetentionTimes } from './retention/settings.ts'
import { type UploadLimits, uploadLimits } from './suggestions/upload.ts'
import { demoTopology } from './topology/demo.ts'
import type { Topology } from './topology/shape.ts'

/** The callers whose trace context is continued. The others begin a trace of their own. */
export type TrustedTraces = 'authenticated' | 'all' | 'none'

/** All settings of the service. The process reads them from the environment; tests and the demo pass them. */
export interface Settings {
  readonly environment: 'staging' | 'production'
  /** A `file:` or `postgres://` URL. */
  readonly databaseUrl: string
  /** Encrypts the data keys of the store. Undefined in staging only: a key file next to an embedded store, or a public one. */
  readonly keyEncryption: KeyEncryption | undefined
  /** Milliseconds that a statement waits for a lock of another transaction, and a request for a door. */
  readonly lockTimeout: number
  /** Maximum number of connections of this process to PostgreSQL. Tenants share as many operations at once. */
  readonly connections: number
  /** Concurrent bookings share a commit on PostgreSQL. */
  readonly batchBookings: boolean
  /** Time limit of a statement on PostgreSQL, in milliseconds. A slower store counts as unavailable. */
  readonly statementTimeout: number
  readonly host: string
  /** 0 selects a free one. */
  readonly port: number
  /** Address by which callers reach the service, and issuer of its tokens. Default: the address it listens on. */
  readonly publicUrl: string | undefined
  readonly topology: Topology
  /** Grants tokens for client secrets that are public, guessable or short. Never in production (D-153). */
  readonly acceptsWeakSecrets: boolean
  /** Allows callbacks to private, loopback and plain-http addresses. */
  readonly allowPrivateNetworks: boolean
  /** Serves the reference page and the OpenAPI document, without authentication. */
  readonly apiDocs: boolean
  /** The signature of callbacks over the shipment's uid. */
  readonly uidSignatureScheme: UidSignatureScheme
  /** Overrides of the delivery of callbacks. */
  readonly delivery: Partial<DeliverySettings>
  /** Requests and deliveries of each tenant that staging keeps in memory; 0 keeps none. Production never does. */
  readonly recentTraffic: number
  /** Opens doors while there are no adapters. */
  readonly hardware: Hardware
  /** Adapters over HTTP, which open the doors and report their states. Production requires one. */
  readonly hardwareAdapters: readonly HardwareAdapter[]
  readonly hardwareEventRate: EventRate
  /** Time limit of a door in milliseconds. Other changes at the locker wait meanwhile. */
  readonly unlockTimeout: number
  /** Private JWK. Default: a key that the service generates and stores. */
  readonly signingKey: JWK | undefined
  /** Lifetime of an access token in seconds. */
  readonly tokenLifetime: number
  /** Milliseconds for which another process may accept a revoked token. */
  readonly revocationPollInterval: number
  readonly trustProxy: TrustProxy
  readonly trustedTraces: TrustedTraces
  /** Requests per second and API client, with bursts of twice the rate; 0 is no limit. */
  readonly rateLimit: number
  /** Maximum size of a body in bytes. Uploads have limits of their own. */
  readonly bodyLimit: number
  /** Milliseconds within which a request must arrive completely. */
  readonly requestTimeout: number
  /** Bytes of bodies per second and tenant, and per address without a token; 0 is no limit. */
  readonly bodyRate: number
  /** Mean delay of the event loop in a second, in milliseconds, past which requests are rejected; 0 is no limit. */
  readonly maxEventLoopDelay: number
  /** The longest wait for a connection to the store, in milliseconds, past which requests are rejected; 0 is no limit. */
  readonly maxStoreWait: number
  /** Bytes of responses that the callers of a tenant may leave unread, past which its requests are rejected. */
  readonly maxUnread: number
  readonly uploadLimits: UploadLimits
  /** The ages at which rows are purged. */
  readonly retention: RetentionTimes
  /** Milliseconds between purges of rows that are older, and before the first one. */
  readonly purgeInterval: number
  /**
   * Milliseconds for which a stopping service answers 503 before it closes connections. Requests in flight on a
   * keep-alive connection get a response, and a load balancer has time to react.
   */
  readonly drainDelay: number
  /** Milliseconds that a stopping service waits for running requests before it closes their connections. */
  readonly shutdownTimeout: number
  readonly log: Logger
  /** Undefined without metrics. */
  readonly observer: Observer | undefined
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * Staging, an empty store in memory, a free port on loopback, and the demo topology.
 *
 * ```ts
 * const service = await startService({ tokenLifetime: defaultSettings.tokenLifetime / 2 })
 * ```
 */
export const defaultSettings: Settings = {
  environment: 'staging',
  databaseUrl: 'file::memory:',
  keyEncryption: undefined,
  lockTimeout: 5_000,
  // Sixteen keep two cores of a database busy.
  connections: 16,
  batchBookings: true,
  statementTimeout: 10_000,
  host: '127.0.0.1',
  port: 0,
  publicUrl: undefined,
  topology: demoTopology,
  acceptsWeakSecrets: true,
  allowPrivateNetworks: true,
  apiDocs: true,
  uidSignatureScheme: defaultUidSignatureScheme,
  delivery: {},
  recentTraffic: 0,
  hardware: simulatedHardware,
  hardwareAdapters: [],
  hardwareEventRate: { perSecond: 100, burst: 1_000 },
  // Shorter than the lock timeout of other requests, and than the shutdown timeout.
  unlockTimeout: 3_000,
  signingKey: undefined,
  // The example of the public documentation (D-008).
  tokenLifetime: 10_799,
  revocationPollInterval: 1_000,
  trustProxy: false,
  trustedTraces: 'authenticated',
  rateLimit: 0,
  bodyLimit: 256 * 1_024,
  requestTimeout: 60_000,
  bodyRate: 0,
  // Off by default: a program that embeds the service may block its event loop itself.
  maxEventLoopDelay: 0,
  maxStoreWait: 0,
  maxUnread: 128 * 1_024 * 1_024,
  uploadLimits,
  retention: defaultRetention,
  purgeInterval: 300_000,
  drainDelay: 0,
  // Callbacks in flight get five more seconds, and the process ten in total.
  shutdownTimeout: 3_500,
  log: createLog('silent'),
  observer: undefined,
  clock: Date.now,
}
