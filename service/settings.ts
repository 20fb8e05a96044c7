import type { JWK } from 'jose'
import type { Logger } from 'pino'
import { defaultWeakScheme, type WeakScheme } from '#contract'
import { type Hardware, simulatedHardware } from './hardware/index.ts'
import { createLog } from './log.ts'
import type { Delivery } from './outbox/index.ts'
import { type UploadLimits, uploadLimits } from './suggestions/index.ts'
import { demonstration, type Topology } from './topology/index.ts'

/** Everything that the service can be told; the process reads it from the environment, tests and the demo write it. */
export interface Settings {
  readonly environment: 'staging' | 'production'
  /** A `file:` or `postgres://` URL. */
  readonly databaseUrl: string
  /** How long a statement waits for somebody else's lock, in milliseconds. */
  readonly lockTimeout: number
  /** How long a statement may take on PostgreSQL before the store counts as away, in milliseconds. */
  readonly statementTimeout: number
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** How callers reach the service; the issuer of its tokens. Left out, the address it listens on. */
  readonly publicUrl: string | undefined
  readonly topology: Topology
  /** Whether callbacks may go to private, loopback and plain-http addresses. */
  readonly privateCallbacks: boolean
  /** The weak signature of callbacks. */
  readonly weakScheme: WeakScheme
  /** How callbacks are delivered, where that differs from the usual. */
  readonly delivery: Partial<Delivery>
  /** What opens lockers. */
  readonly hardware: Hardware
  /** How long a door may take to open, in milliseconds; on the embedded store nothing else is written meanwhile. */
  readonly unlockTimeout: number
  /** Private JWK; left out, one is made and kept in the store. */
  readonly signingKey: JWK | undefined
  /** Life of an access token in seconds. */
  readonly tokenLife: number
  /** Requests per second and API client, with bursts of twice as many; 0 is no limit. */
  readonly rateLimit: number
  /** Longest body of an operation in bytes; uploads have a limit of their own. */
  readonly bodyLimit: number
  readonly uploadLimits: UploadLimits
  /**
   * How long a stop still answers 503 before it closes connections, in milliseconds: a request that is on its way on a
   * kept connection gets an answer, and whoever spreads the load has time to look elsewhere.
   */
  readonly farewell: number
  /** How long a stop waits for running requests before it cuts them, in milliseconds. */
  readonly stopTimeout: number
  readonly log: Logger
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** A service for one process: staging, an empty store in memory, a free port on loopback, the demonstration topology. */
export const defaultSettings: Settings = {
  environment: 'staging',
  databaseUrl: 'file::memory:',
  lockTimeout: 5_000,
  statementTimeout: 10_000,
  host: '127.0.0.1',
  port: 0,
  publicUrl: undefined,
  topology: demonstration,
  privateCallbacks: true,
  weakScheme: defaultWeakScheme,
  delivery: {},
  hardware: simulatedHardware,
  // Shorter than another process waits for the store, and than a stop waits for a request.
  unlockTimeout: 3_000,
  signingKey: undefined,
  // The sample of the public documentation (docs/decisions.md, Token).
  tokenLife: 10_799,
  rateLimit: 0,
  bodyLimit: 256 * 1_024,
  uploadLimits,
  farewell: 0,
  // Callbacks under way have five seconds after that, and the process ten in all.
  stopTimeout: 3_500,
  log: createLog('silent'),
  clock: Date.now,
}
