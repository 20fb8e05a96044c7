import type { ConnectionOptions } from '@temporalio/client'
import type { DataConverter } from '@temporalio/common'
import type { Logger } from 'pino'
import type { UidSignatureScheme } from '#contract'
import type { ApiSettings } from '#contract/client'
import type { ServiceProfile } from '#contract/terms'
import type { FlowApiSettings } from './flowApi/index.ts'
import type { Observer } from './observer.ts'

/** The settings of a gateway. The process reads them from the environment; tests and the demo pass them. */
export interface GatewaySettings {
  readonly host: string
  /** 0: a free port. */
  readonly port: number
  /** Address at which the service reaches the gateway; by default the address that it listens on. */
  readonly url?: string | undefined
  readonly keys: CallbackKeys
  /** The service's own signature of a callback, which covers the shipment uid only. */
  readonly uidSignatureScheme: UidSignatureScheme
  readonly profile: ServiceProfile
  /** False where a person registers the address and the key with the service. Default: true. */
  readonly registers?: boolean | undefined
  /** The service with which the gateway registers its address and key. */
  readonly api: ApiSettings
  readonly temporal: ConnectionOptions
  readonly namespace: string
  /** Encrypts the signals; without it they are written as they are. */
  readonly dataConverter?: DataConverter
  /** The task queue of the flows, whose pollers are counted. */
  readonly taskQueue?: string
  /** The listener at which callers start flows over HTTP; none if it is absent. */
  readonly flowApi?: FlowApiSettings | undefined
  /** Undefined without metrics. */
  readonly observer?: Observer | undefined
  readonly log: Logger
  /** Milliseconds between two readings of the lockers out of service; 15 seconds by default. */
  readonly outageInterval?: number
  /** Milliseconds between two checks of Temporal while no callback arrives; 10 seconds by default. */
  readonly probeInterval?: number
  /** Milliseconds since 1970, by which the age of a signature is checked; that of the machine by default. */
  readonly clock?: () => number
}

/** The settings of a receiver: those of a gateway that do not belong to its own server. */
export type ReceiverSettings = Pick<
  GatewaySettings,
  'keys' | 'uidSignatureScheme' | 'profile' | 'temporal' | 'namespace' | 'dataConverter' | 'log'
>

export interface CallbackKeys {
  readonly current: string
  /** Accepted too while the key is rotated. */
  readonly previous?: string | undefined
}

/** The accepted keys, the newest first. */
export function verificationKeys({ current, previous }: CallbackKeys): readonly string[] {
  return previous === undefined ? [current] : [current, previous]
}
