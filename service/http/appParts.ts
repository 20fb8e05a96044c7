import type { SigningKeys, TokenEndpoint, VerifyBearer } from '../auth/index.ts'
import type { Secrets } from '../encryption/index.ts'
import type { AdapterHealth, DoorReports, OpenDoor } from '../hardware/index.ts'
import type { Handlers } from '../operations/handler.ts'
import type { Outbox } from '../outbox/index.ts'
import type { Traffic } from '../sandbox/index.ts'
import type { Settings } from '../settings.ts'
import type { Store } from '../store/index.ts'

/** The settings that the HTTP application reads itself. */
type AppSettings = Pick<
  Settings,
  | 'environment'
  | 'connections'
  | 'batchBookings'
  | 'allowPrivateNetworks'
  | 'apiDocs'
  | 'uidSignatureScheme'
  | 'hardwareAdapters'
  | 'hardwareEventRate'
  | 'lockTimeout'
  | 'unlockTimeout'
  | 'trustProxy'
  | 'rateLimit'
  | 'bodyLimit'
  | 'requestTimeout'
  | 'bodyRate'
  | 'maxEventLoopDelay'
  | 'maxStoreWait'
  | 'maxUnread'
  | 'uploadLimits'
  | 'retention'
  | 'clock'
  | 'log'
  | 'observer'
>

/** The parts and settings of the HTTP application. */
export interface ServiceAppParts extends AppSettings {
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
  readonly openDoor: OpenDoor
  /** Absent without adapters. */
  readonly doorReports: DoorReports | undefined
  readonly adapterHealth: Pick<AdapterHealth, 'missing'>
  /** In staging, if its setting is on. */
  readonly traffic?: Traffic | undefined
}
