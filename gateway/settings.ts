import type { ConnectionOptions } from '@temporalio/client'
import type { Logger } from 'pino'
import type { ApiSettings } from '#api'
import type { WeakScheme } from '#contract'
import type { ServiceProfile } from '#contract/terms'

/** Everything that the gateway can be told; the process reads it from the environment, tests and the demo write it. */
export interface GatewaySettings {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** How the service reaches the gateway; left out, the address it listens on. */
  readonly url?: string | undefined
  readonly keys: CallbackKeys
  /** The service's own signature of callbacks. */
  readonly weakScheme: WeakScheme
  readonly profile: ServiceProfile
  /** The service that is told the gateway's address and key. */
  readonly api: ApiSettings
  readonly temporal: ConnectionOptions
  readonly namespace: string
  readonly log: Logger
}

export interface CallbackKeys {
  readonly current: string
  /** Still accepted while the key is rotated. */
  readonly previous?: string | undefined
}

/** The keys that a signature may be made with, the newest first. */
export function keysOf({ current, previous }: CallbackKeys): readonly string[] {
  return previous === undefined ? [current] : [current, previous]
}
