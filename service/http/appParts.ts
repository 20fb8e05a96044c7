import type { Logger } from 'pino'
import type { UidSignatureScheme } from '#contract'
import type { SigningKeys, TokenEndpoint, VerifyBearer } from '../auth/index.ts'
import type { Secrets } from '../encryption/index.ts'
import type { AdapterHealth, DoorReports, EventRate, HardwareAdapter, OpenDoor } from '../hardware/index.ts'
import type { Observer } from '../observer.ts'
import type { Handlers } from '../operations/handler.ts'
import type { Outbox } from '../outbox/index.ts'
import type { RetentionTimes } from '../retention/index.ts'
import type { Traffic } from '../sandbox/index.ts'
import type { Store } from '../store/index.ts'
import type { UploadLimits } from '../suggestions/index.ts'
import type { TrustProxy } from '../trustProxy.ts'
import type { TrustedTraces } from './traceRequests.ts'

/** The parts and settings of the HTTP application. */
export interface ServiceAppParts {
  /** Maximum number of connections to PostgreSQL. Tenants share as many operations at once. */
  readonly connections: number
  readonly environment: 'staging' | 'production'
  readonly store: Store
  readonly secrets: Secrets
  readonly handlers: Handlers
  readonly keys: SigningKeys
  readonly verifyBearer: VerifyBearer
  readonly tokenEndpoint: TokenEndpoint
  readonly hasPublicSecrets: boolean
  /** The public address of the service, known only when it listens. */
  readonly address: () => string
  /** Aborted when the service begins to stop. New requests are rejected from then on. */
  readonly stopping: AbortSignal
  /** Called after every commit that may have enqueued callbacks of a tenant. */
  readonly wake: (tenantId: string) => void
  /** Reserves the delivery of a callback that is about to be enqueued. */
  readonly reserve: Outbox['reserve']
  /** Asks whether the address of a tenant can be reached. */
  readonly probe: Outbox['probe']
  /** Concurrent bookings share a commit on PostgreSQL. */
  readonly batchBookings: boolean
  readonly allowPrivateNetworks: boolean
  /** Serves the reference page and the OpenAPI document. */
  readonly apiDocs: boolean
  /** The service's own signature of callbacks, which the document describes. */
  readonly uidSignatureScheme: UidSignatureScheme
  readonly openDoor: OpenDoor
  readonly hardwareAdapters: readonly HardwareAdapter[]
  readonly hardwareEventRate: EventRate
  /** Absent without adapters. */
  readonly doorReports: DoorReports | undefined
  readonly adapterHealth: Pick<AdapterHealth, 'missing'>
  /** The longest wait for a locker whose door is being opened, in milliseconds. */
  readonly lockTimeout: number
  /** Milliseconds. */
  readonly unlockTimeout: number
  readonly trustProxy: TrustProxy
  readonly trustedTraces: TrustedTraces
  /** Requests per second and API client; 0 is no limit. */
  readonly rateLimit: number
  /** Bytes. */
  readonly bodyLimit: number
  /** Milliseconds within which a request must arrive completely. */
  readonly requestTimeout: number
  /** Bytes of bodies per second and tenant; 0 is no limit. */
  readonly bodyRate: number
  /** Mean delay of the event loop in a second, in milliseconds, past which requests are rejected; 0 is no limit. */
  readonly maxEventLoopDelay: number
  /** The longest wait for a connection to the store, in milliseconds, past which requests are rejected; 0 is no limit. */
  readonly maxStoreWait: number
  /** Bytes of responses that the callers of a tenant may leave unread, past which its requests are rejected. */
  readonly maxUnread: number
  readonly uploadLimits: UploadLimits
  readonly retention: RetentionTimes
  readonly clock: () => number
  readonly log: Logger
  /** Undefined without metrics. */
  readonly observer?: Observer | undefined
  /** In staging, if its setting is on. */
  readonly traffic?: Traffic | undefined
}
