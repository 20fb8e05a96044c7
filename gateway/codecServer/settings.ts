import type { DataConverter } from '@temporalio/common'
import type { Logger } from 'pino'

/** The settings of a codec server. The process reads them from the environment; tests and `lockerflow dev` pass them. */
export interface CodecServerSettings {
  readonly host: string
  /** 0: a free port. */
  readonly port: number
  readonly dataConverter: DataConverter
  /** The only namespace whose payloads are decoded. */
  readonly namespace: string
  /** Origins of the Web UI, for instance `http://127.0.0.1:8233`. */
  readonly origins: readonly string[]
  /** Allows POST /encode. */
  readonly encodes: boolean
  readonly log: Logger
}
