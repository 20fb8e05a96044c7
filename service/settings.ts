import { createPrivateKey } from 'node:crypto'
import type { JWK } from 'jose'
import type { Logger } from 'pino'
import { z } from 'zod'
import { defaultUidSignatureScheme, type UidSignatureScheme } from '#contract'
import { mustBeDuration, parseDuration } from '#contract/terms'
import { createLog, createProcessLog } from '#platform/logs'
import {
  apiDocsVariable,
  baseAddress,
  checkStoreUrl,
  databaseTlsVariables,
  entriesOf,
  environmentVariable,
  hostVariable,
  isProduction,
  logLevelVariable,
  passwordOf,
  plainHttpProblem,
  port,
  readListeningHost,
  readTogether,
  readVariables,
  ringKeysOf,
  SettingsError,
  type Source,
  secureUrl,
  signatureKeys,
  type TrustProxy,
  trustProxyVariable,
  uidSignatureVariable,
  type Values,
  type Variable,
  wholeNumber,
} from '#platform/settings'
import { findAlgorithm } from './auth/jwk.ts'
import type { KeyEncryption } from './encryption/index.ts'
import { encryptionKeysExample, keyRingRule, readKeyRing } from './encryption/keyEncryption.ts'
import { adapterUrl, readAdapterFile } from './hardware/adapterFile.ts'
import type { EventRate } from './hardware/doorReports.ts'
import { type Hardware, type HardwareAdapter, simulatedHardware } from './hardware/hardware.ts'
import type { Observer } from './observer.ts'
import type { DeliverySettings } from './outbox/index.ts'
import type { RetentionTimes } from './retention/index.ts'
import { type UploadLimits, uploadLimits } from './suggestions/upload.ts'
import { demoTopology } from './topology/demo.ts'
import { readTopology } from './topology/read.ts'
import type { Topology } from './topology/shape.ts'

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
  /** Grants tokens for client secrets that are public, guessable or short. Never in production. */
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
  /** Requests per second and API client, with bursts of twice the rate; 0 is no limit. */
  readonly rateLimit: number
  /** Maximum size of a body in bytes. Uploads have limits of their own. */
  readonly bodyLimit: number
  /** Milliseconds within which a request must arrive completely. */
  readonly requestTimeout: number
  /** Bytes of bodies per second and tenant, and per address without a token; 0 is no limit. */
  readonly bodyRate: number
  /** Maximum mean delay of the event loop in a second, in milliseconds. Above it requests are rejected; 0 is no limit. */
  readonly maxEventLoopDelay: number
  /** Maximum wait for a connection to the store, in milliseconds. After longer waits requests are rejected; 0 is no limit. */
  readonly maxStoreWait: number
  /** Maximum bytes of responses that the callers of a tenant leave unread. Above it the tenant's requests are rejected. */
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

/** Milliseconds. */
const minute = 60_000
const day = 1_440 * minute

const keptFor = z
  .string()
  .default('365d')
  .transform((text, context) => {
    const time = parseDuration(text)
    if (time !== undefined && time >= day) return time
    context.addIssue(`${mustBeDuration}, at least 1d`)
    return z.NEVER
  })

const retentionVariables = {
  LOCKERFLOW_KEEP_SHIPMENTS: {
    description:
      'Time after which ended shipments are purged with their objects, counted from their last change. A shipment stays while its case or a linked shipment is active. At least 1d.',
    example: '365d',
    schema: keptFor,
  },
  LOCKERFLOW_KEEP_AUDIT: {
    description: 'Time after which entries of the audit log are purged. At least 1d.',
    example: '365d',
    schema: keptFor,
  },
} as const satisfies Record<string, Variable>

function toRetentionTimes(values: Values<typeof retentionVariables>): RetentionTimes {
  const shipments = values.LOCKERFLOW_KEEP_SHIPMENTS
  return {
    shipments,
    audit: values.LOCKERFLOW_KEEP_AUDIT,
    // A callback that was given up has personal data of its shipment.
    deadCallbacks: Math.min(90 * day, shipments),
    stagedUploads: 60 * minute,
    removedTenants: 60 * minute,
    // Counted from the end of a lock.
    signIns: 15 * minute,
    responses: day,
  }
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
  // The example of the public documentation.
  tokenLifetime: 10_799,
  revocationPollInterval: 1_000,
  trustProxy: false,
  rateLimit: 0,
  bodyLimit: 256 * 1_024,
  requestTimeout: 60_000,
  bodyRate: 0,
  // Off by default: a program that embeds the service may block its event loop itself.
  maxEventLoopDelay: 0,
  maxStoreWait: 0,
  maxUnread: 128 * 1_024 * 1_024,
  uploadLimits,
  retention: toRetentionTimes(readVariables({}, retentionVariables)),
  purgeInterval: 300_000,
  drainDelay: 0,
  // Callbacks in flight get five more seconds, and the process ten in total.
  shutdownTimeout: 3_500,
  log: createLog('silent'),
  observer: undefined,
  clock: Date.now,
}

/** Of production: seconds, since a token that leaks is usable until it expires or its client is revoked; requests per second and client. */
const production = { tokenLifetime: 900, rateLimit: 200 }

/** Bytes of bodies per second and tenant, where requests have a limit too. */
const bodyRate = 8 * 1_048_576

/** Milliseconds, past which a process rejects requests. */
const overload = { maxEventLoopDelay: 500, maxStoreWait: 2_000 }
const noOverload = { maxEventLoopDelay: 0, maxStoreWait: 0 }

/** Requests and callback deliveries of each tenant that `requests tail` and `callbacks list` show: some minutes of a person who tries the service. */
const recentTraffic = 200

const mustBeSetTogether = (given: string) => `must be set together with ${given}`

const hardwareVariables = {
  LOCKERFLOW_HARDWARE_URL: {
    description:
      'Address of the adapter that opens locker doors. Without it, staging pretends that every door opens, and production does not start. In production http is allowed for private hosts only.',
    example: 'https://adapter.example',
    schema: adapterUrl.optional(),
    production: { required: true, problem: plainHttpProblem },
    needs: { names: ['LOCKERFLOW_HARDWARE_KEY'], wrong: mustBeSetTogether },
  },
  LOCKERFLOW_HARDWARE_KEY: {
    description:
      'Key that signs the requests to the hardware adapter and its events, or two during a rotation, as `new,old`: both sign and are accepted.',
    example: 'choose-32-random-characters-too.',
    schema: signatureKeys.optional(),
    production: { required: true },
    secret: entriesOf,
    needs: { names: ['LOCKERFLOW_HARDWARE_URL'], wrong: mustBeSetTogether },
  },
  LOCKERFLOW_HARDWARE_ADAPTERS: {
    description: 'File (YAML or JSON) with further adapters, each for certain pick up points.',
    example: 'adapters.yaml',
    schema: z.string().optional(),
  },
} as const satisfies Record<string, Variable>

/** The store, and TLS to it. */
export const storeUrlVariables = {
  ...environmentVariable,
  LOCKERFLOW_DATABASE_URL: {
    description: 'The store: an existing PostgreSQL database, or a file, which is created if it is missing.',
    example: 'postgres://lockerflow:secret@127.0.0.1:5432/lockerflow',
    schema: z
      .string()
      .regex(/^(file:.|postgres(ql)?:\/\/.)/, 'must be a postgres:// or file: URL')
      .superRefine(checkStoreUrl),
    staging: 'file:.lockerflow/service.db',
    secret: passwordOf,
  },
  ...databaseTlsVariables,
} as const satisfies Record<string, Variable>

/** Every variable of the service. */
export const serviceVariables = {
  ...environmentVariable,
  ...logLevelVariable,
  ...storeUrlVariables,
  LOCKERFLOW_STORE_KEYS: {
    description:
      'Keys that encrypt the secrets in the store, as id:key, each key 32 bytes in Base64. The first one encrypts; older ones stay readable. Default in staging: a file next to an embedded store, and a public key on PostgreSQL.',
    example: encryptionKeysExample,
    schema: z
      .string()
      .optional()
      .transform((text, context) => {
        const ring = text === undefined ? undefined : readKeyRing(text)
        if (text === undefined || ring !== undefined) return ring
        context.addIssue(keyRingRule)
        return z.NEVER
      }),
    production: { required: true },
    secret: ringKeysOf,
  },
  LOCKERFLOW_SERVICE_PORT: {
    description: 'Port of the API and the token endpoint; 0 means a free port.',
    example: '8080',
    schema: port(0).default(8_080),
  },
  ...hostVariable,
  LOCKERFLOW_PUBLIC_URL: {
    description:
      'Address at which callers reach the service, and the issuer of its tokens: all processes of a store need the same one, otherwise none accepts the tokens of another. In production http is allowed for private hosts only. Default in staging: the address that the service listens on.',
    example: 'https://lockers.example',
    schema: baseAddress.optional(),
    production: { required: true, problem: plainHttpProblem },
  },
  ...apiDocsVariable,
  LOCKERFLOW_SIGNING_KEY: {
    description: 'Private JWK that signs tokens. Default: a key that the service generates and stores.',
    example: '{"kty":"EC","crv":"P-256","x":"…","y":"…","d":"…"}',
    schema: z.string().optional().transform(parseSigningKey),
    secret: true,
  },
  ...trustProxyVariable,
  LOCKERFLOW_TOPOLOGY: {
    description: 'File with tenants, API clients, pick up points and lockers. Staging has a built-in one.',
    example: 'topology.yaml',
    schema: z.string().optional(),
    production: { required: true },
  },
  LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS: {
    description:
      'Allows callbacks to private, loopback and plain-http addresses. Default: true in staging, false in production.',
    example: 'false',
    schema: z.enum(['true', 'false'], 'must be true or false').optional(),
    production: { problem: text => (text === 'true' ? 'cannot be true in production' : undefined) },
  },
  LOCKERFLOW_RATE_LIMIT: {
    description: `Requests per second and API client; on PostgreSQL all processes together. With a limit, bodies are read at 8 MiB per second and tenant at most. Default: ${production.rateLimit} in production, 0 (no limit) in staging.`,
    example: String(production.rateLimit),
    schema: wholeNumber({ from: 0, to: 1_000_000, wrong: 'must be a whole number of requests per second' }).optional(),
  },
  LOCKERFLOW_SHED_LOAD: {
    description: `If true, requests get 503 Unavailable while the event loop is delayed by more than ${overload.maxEventLoopDelay} ms on average, or transactions wait more than ${overload.maxStoreWait} ms for the store.`,
    example: 'false',
    schema: z.enum(['true', 'false'], 'must be true or false').default('true'),
  },
  LOCKERFLOW_DATABASE_CONNECTIONS: {
    description: 'Maximum number of connections of one process to PostgreSQL.',
    example: '16',
    schema: wholeNumber({ from: 2, to: 500 }).default(defaultSettings.connections),
  },
  LOCKERFLOW_STATEMENT_TIMEOUT: {
    description:
      'Time limit of a statement on PostgreSQL, in milliseconds. A slower store counts as unavailable. A statement waits half as long for a lock of another transaction, and a request for a door.',
    example: '10000',
    schema: wholeNumber({ from: 100, to: 600_000 }).default(defaultSettings.statementTimeout),
  },
  ...hardwareVariables,
  ...uidSignatureVariable,
  ...retentionVariables,
} as const satisfies Record<string, Variable>

/**
 * Reads the settings of a service.
 * @throws SettingsError with every problem
 */
export function readSettings(source: NodeJS.ProcessEnv = process.env): Settings {
  const isStaging = !isProduction(source)
  const { values, databaseUrl, hardwareAdapters, topology, host } = readTogether({
    values: () => readVariables(source, serviceVariables),
    databaseUrl: () => readDatabaseUrl(source),
    hardwareAdapters: () => readAdapters(source),
    topology: () => selectTopology(source, !isStaging),
    host: () => readListeningHost(source, undefined),
  })
  const usual = isStaging ? defaultSettings : production
  const rateLimit = values.LOCKERFLOW_RATE_LIMIT ?? usual.rateLimit
  return {
    ...defaultSettings,
    environment: values.LOCKERFLOW_ENVIRONMENT,
    databaseUrl,
    keyEncryption: values.LOCKERFLOW_STORE_KEYS,
    lockTimeout: values.LOCKERFLOW_STATEMENT_TIMEOUT / 2,
    connections: values.LOCKERFLOW_DATABASE_CONNECTIONS,
    statementTimeout: values.LOCKERFLOW_STATEMENT_TIMEOUT,
    host: host ?? (topology === demoTopology ? '127.0.0.1' : '0.0.0.0'),
    port: values.LOCKERFLOW_SERVICE_PORT,
    publicUrl: values.LOCKERFLOW_PUBLIC_URL,
    topology,
    acceptsWeakSecrets: isStaging,
    allowPrivateNetworks: isStaging && values.LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS !== 'false',
    apiDocs: values.LOCKERFLOW_API_DOCS === 'true',
    uidSignatureScheme: values.LOCKERFLOW_CALLBACK_HMAC,
    recentTraffic: isStaging ? recentTraffic : 0,
    hardwareAdapters,
    signingKey: values.LOCKERFLOW_SIGNING_KEY,
    tokenLifetime: usual.tokenLifetime,
    trustProxy: values.LOCKERFLOW_TRUST_PROXY,
    rateLimit,
    bodyRate: rateLimit > 0 ? bodyRate : 0,
    ...(values.LOCKERFLOW_SHED_LOAD === 'true' ? overload : noOverload),
    retention: toRetentionTimes(values),
    drainDelay: 500,
    log: createProcessLog('service', values.LOCKERFLOW_LOG_LEVEL),
  }
}

/**
 * The store of the service, for commands: its URL, with TLS unless the settings leave it to the URL.
 * @throws SettingsError
 */
export function readDatabaseUrl(source: NodeJS.ProcessEnv = process.env): string {
  const name = 'LOCKERFLOW_DATABASE_URL'
  const { example } = storeUrlVariables[name]
  const read = (from: Source) => {
    const values = readVariables(from, storeUrlVariables)
    return secureUrl({ name, url: values[name], example }, values)
  }
  // A wrong LOCKERFLOW_DATABASE_CA must not hide a wrong URL.
  return readTogether({
    url: () => read(source),
    urlAlone: () => read({ ...source, LOCKERFLOW_DATABASE_CA: undefined }),
  }).url
}

/**
 * The keys that encrypt the secrets in the store, for commands; undefined in staging without a setting.
 * @throws SettingsError
 */
export function readKeyEncryption(source: NodeJS.ProcessEnv = process.env): KeyEncryption | undefined {
  const { LOCKERFLOW_STORE_KEYS } = serviceVariables
  return readVariables(source, { ...environmentVariable, LOCKERFLOW_STORE_KEYS }).LOCKERFLOW_STORE_KEYS
}

/** The topology of the file, or the built-in one, which production does not have: there the variable is required. */
export function selectTopology({ LOCKERFLOW_TOPOLOGY: path }: Source, inProduction: boolean): Topology {
  if (!path) return demoTopology
  try {
    return readTopology(path, { production: inProduction })
  } catch (error) {
    throw problemOf('LOCKERFLOW_TOPOLOGY', error instanceof Error ? error.message : String(error))
  }
}

/**
 * Reads the adapters of locker hardware; none if staging pretends.
 * @throws SettingsError with every problem
 */
export function readAdapters(source: Source): readonly HardwareAdapter[] {
  const { values, named } = readTogether({
    values: () => readVariables(source, hardwareVariables),
    named: () => readNamedAdapters(source),
  })
  const { LOCKERFLOW_HARDWARE_URL: url, LOCKERFLOW_HARDWARE_KEY: given } = values
  if (url === undefined || given === undefined) return named
  const keys = given.filter(key => key !== undefined)
  return [...named, { name: undefined, url: url.replace(/\/+$/, ''), keys, pickUpPoints: undefined }]
}

function readNamedAdapters(source: Source): readonly HardwareAdapter[] {
  const { LOCKERFLOW_HARDWARE_ADAPTERS: path } = source
  const named = path ? readAdapterFile(path, isProduction(source)) : []
  if (typeof named === 'string') throw problemOf('LOCKERFLOW_HARDWARE_ADAPTERS', named)
  return named
}

function problemOf(name: keyof typeof serviceVariables, wrong: string): SettingsError {
  return new SettingsError({ name, wrong, example: serviceVariables[name].example })
}

function parseSigningKey(text: string | undefined, context: z.RefinementCtx): JWK | undefined {
  if (text === undefined) return undefined
  try {
    const jwk: JWK = JSON.parse(text)
    createPrivateKey({ key: { ...jwk }, format: 'jwk' })
    if (findAlgorithm(jwk) !== undefined) return jwk
  } catch {
    // The error message could quote the key.
  }
  context.addIssue('must be a private JWK for signatures: EC (P-256, P-384, P-521), Ed25519 or RSA')
  return z.NEVER
}
