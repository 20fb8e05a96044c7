import { createPrivateKey } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import type { JWK } from 'jose'
import { z } from 'zod'
import {
  environmentVariable,
  httpUrl,
  isProduction,
  isPublicSecret,
  logLevelVariable,
  plainHttpProblem,
  readListeningHost,
  readTogether,
  readVariables,
  SettingsError,
  type Source,
  uidSignatureVariable,
  type Values,
  type Variable,
} from '#contract/settings'
import { createProcessLog } from '#logs'
import { findAlgorithm } from './auth/index.ts'
import { encryptionKeysExample, type KeyEncryption, keyRingRule, readKeyRing } from './encryption/index.ts'
import { hardwareVariables, readAdapters } from './hardware/index.ts'
import { limitVariables, readLimits } from './limits.ts'
import { retentionVariables, toRetentionTimes } from './retention/index.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { findTlsParameter, withTls } from './store/postgres/tls.ts'
import { demoTopology, readTopology, type Topology } from './topology/index.ts'
import { readTrustProxy } from './trustProxy.ts'

/** Seconds (D-008). */
const productionTokenLifetime = 900
const tokenLifetimeRule = 'must be 60 to 86400 seconds'

/** Milliseconds. */
const day = 86_400_000

/** Requests per second and API client in production (D-010). */
const productionRate = 200

/** Entries of each tenant, in staging. */
const defaultTraffic = 200

const mebibyte = 1_048_576
/** Mebibytes of bodies per second and tenant in production (D-175). */
const productionBodyRate = 8

const wholeNumber = (maximum: number, error: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine(value => value <= maximum, error)

export const serviceVariables = {
  ...environmentVariable,
  ...logLevelVariable,
  LOCKERFLOW_DATABASE_URL: {
    description: 'The store: an existing PostgreSQL database, or a file, which is created if it is missing.',
    example: 'postgres://lockerflow:secret@127.0.0.1:5432/lockerflow',
    schema: z.string().regex(/^(file:.|postgres(ql)?:\/\/.)/, 'must be a postgres:// or file: URL'),
    staging: 'file:.lockerflow/service.db',
    production: { problem: text => publicPasswordProblem(text) },
    secret: true,
  },
  LOCKERFLOW_DATABASE_TLS: {
    description:
      'TLS to PostgreSQL: required (the certificate and its host are verified), or optional (as the URL says). Default: required in production, optional in staging.',
    example: 'required',
    schema: z.enum(['required', 'optional'], 'must be required or optional').optional(),
  },
  LOCKERFLOW_DATABASE_CA: {
    description: "File with the certificates (PEM) of the authorities that PostgreSQL's may have. Default: Node's.",
    example: '/etc/lockerflow/postgres-ca.pem',
    schema: z.string().refine(isReadableFile, 'must be a file that the process can read').optional(),
  },
  LOCKERFLOW_STORE_KEYS: {
    description:
      'Keys that encrypt the secrets in the store, as id:key, each key 32 bytes in Base64. The first one encrypts; older ones stay readable. Default in staging: a file beside an embedded store, and a public key on PostgreSQL.',
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
    secret: true,
  },
  LOCKERFLOW_SERVICE_PORT: {
    description: 'Port of the API and the token endpoint; 0 means a free port.',
    example: '8080',
    schema: wholeNumber(65_535, 'must be a port from 0 to 65535').default(8_080),
  },
  LOCKERFLOW_SERVICE_HOST: {
    description:
      'Address to listen on. Default: all addresses; loopback without LOCKERFLOW_ENVIRONMENT, and with the built-in topology, whose secrets are public.',
    example: '0.0.0.0',
    schema: z.string().optional(),
  },
  LOCKERFLOW_PUBLIC_URL: {
    description:
      'Address by which callers reach the service, and the issuer of its tokens. In production http is allowed for private hosts only. Default in staging: the address that the service listens on.',
    example: 'https://lockers.example',
    schema: httpUrl.optional(),
    production: { required: true, problem: plainHttpProblem },
  },
  LOCKERFLOW_TOPOLOGY: {
    description: 'File with tenants, API clients, pick up points and lockers. Staging has a built-in one.',
    example: 'topology.yaml',
    schema: z.string().optional(),
    production: { required: true },
  },
  LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS: {
    description: 'Allows callbacks to private, loopback and plain-http addresses. Default: true in staging.',
    example: 'false',
    schema: z.enum(['true', 'false'], 'must be true or false').optional(),
    production: { problem: text => (text === 'true' ? 'cannot be true in production' : undefined) },
  },
  LOCKERFLOW_BATCHED_BOOKINGS: {
    description:
      'Concurrent bookings share a statement and a commit on PostgreSQL. Without it, each has a transaction of its own.',
    example: 'true',
    schema: z.enum(['true', 'false'], 'must be true or false').default('true'),
  },
  LOCKERFLOW_API_DOCS: {
    description: 'Serves the reference page and the OpenAPI document, which need no token.',
    example: 'false',
    schema: z.enum(['true', 'false'], 'must be true or false').default('true'),
  },
  LOCKERFLOW_RECENT_TRAFFIC: {
    description:
      'Requests and deliveries of callbacks of each tenant that a process in staging keeps in memory, for `requests tail` and `callbacks list`; 0 keeps none. Default: 200. Production keeps none.',
    example: '500',
    schema: wholeNumber(5_000, 'must be a whole number up to 5000').optional(),
    production: {
      problem: text => (text === '0' ? undefined : 'must be 0 in production, since callbacks have personal data'),
    },
  },
  LOCKERFLOW_SIGNING_KEY: {
    description: 'Private JWK that signs tokens. Default: a key that the service generates and stores.',
    example: '{"kty":"EC","crv":"P-256","x":"…","y":"…","d":"…"}',
    schema: z.string().optional().transform(parseSigningKey),
    secret: true,
  },
  LOCKERFLOW_TOKEN_LIFETIME: {
    description: `Lifetime of access tokens in seconds, 60 to 86400. Default: ${productionTokenLifetime} in production, ${defaultSettings.tokenLifetime} in staging.`,
    example: String(productionTokenLifetime),
    schema: wholeNumber(86_400, tokenLifetimeRule)
      .refine(seconds => seconds >= 60, tokenLifetimeRule)
      .optional(),
  },
  LOCKERFLOW_TRUST_PROXY: {
    description:
      "Proxies in front of the service whose X-Forwarded-For header names the caller: false, a number of hops (no one else may reach the port), or their addresses and CIDR ranges. The limit on wrong secrets counts by the caller's address.",
    example: '10.0.0.0/8,127.0.0.1',
    schema: z
      .string()
      .default('false')
      .transform((text, context) => {
        const trust = readTrustProxy(text)
        if (trust !== undefined) return trust
        context.addIssue('must be false, 1 to 10 hops, or a list of addresses and CIDR ranges')
        return z.NEVER
      }),
  },
  LOCKERFLOW_TRUSTED_TRACES: {
    description:
      'Callers whose `traceparent` header the service continues, sampling included: authenticated, all or none. The others begin a trace of their own.',
    example: 'none',
    schema: z.enum(['authenticated', 'all', 'none'], 'must be authenticated, all or none').default('authenticated'),
  },
  LOCKERFLOW_RATE_LIMIT: {
    description: `Requests per second and API client; on PostgreSQL all processes together. Default: ${productionRate} in production, 0 (no limit) in staging.`,
    example: String(productionRate),
    schema: wholeNumber(1_000_000, 'must be a whole number of requests per second').optional(),
  },
  LOCKERFLOW_BODY_RATE: {
    description: `Mebibytes of bodies per second and tenant, and per address without a token; more are read later. Default: ${productionBodyRate} in production, 0 (no limit) in staging.`,
    example: String(productionBodyRate),
    schema: wholeNumber(10_000, 'must be a whole number of mebibytes per second up to 10000').optional(),
  },
  LOCKERFLOW_MAX_EVENT_LOOP_DELAY: {
    description:
      'Mean delay of the event loop in a second, in milliseconds, past which requests get 503 Unavailable; 0 means no limit.',
    example: '500',
    schema: wholeNumber(60_000, 'must be a whole number of milliseconds up to 60000').default(500),
  },
  LOCKERFLOW_MAX_STORE_WAIT: {
    description:
      'Longest wait of a transaction for the store, in milliseconds, past which requests get 503 Unavailable; 0 means no limit.',
    example: '2000',
    schema: wholeNumber(60_000, 'must be a whole number of milliseconds up to 60000').default(2_000),
  },
  ...limitVariables,
  LOCKERFLOW_CALLBACK_MAX_DAYS: {
    description:
      'Age in days at which a callback that fails is given up. `npm run callbacks -- resend` sends it again.',
    example: '30',
    schema: z
      .string()
      .default('30')
      .transform(Number)
      .refine(days => Number.isInteger(days) && days >= 1 && days <= 3_650, 'must be a number of days from 1 to 3650'),
  },
  ...hardwareVariables,
  ...uidSignatureVariable,
  ...retentionVariables,
  LOCKERFLOW_ERASURE_URL: {
    description:
      'Address to which `npm run person -- erase` posts the uid of the person, so that another store forgets it too.',
    example: 'http://127.0.0.1:8090/forget',
    schema: httpUrl.optional(),
    production: { problem: plainHttpProblem },
  },
} as const satisfies Record<string, Variable>

/** @throws SettingsError with every problem */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): Settings {
  const production = isProduction(source)
  const { values, hardwareAdapters, topology, host } = readTogether({
    values: () => {
      const values = readVariables(source, serviceVariables)
      return { ...values, LOCKERFLOW_DATABASE_URL: secureUrl(values) }
    },
    hardwareAdapters: () => readAdapters(source),
    topology: () => selectTopology(source, production),
    host: () => readListeningHost(source, undefined, 'LOCKERFLOW_SERVICE_HOST'),
  })
  return {
    ...defaultSettings,
    environment: values.LOCKERFLOW_ENVIRONMENT,
    databaseUrl: values.LOCKERFLOW_DATABASE_URL,
    keyEncryption: values.LOCKERFLOW_STORE_KEYS,
    port: values.LOCKERFLOW_SERVICE_PORT,
    host: host ?? (topology === demoTopology ? '127.0.0.1' : '0.0.0.0'),
    publicUrl: values.LOCKERFLOW_PUBLIC_URL,
    topology,
    hardwareAdapters,
    allowPrivateNetworks: !production && values.LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS !== 'false',
    batchBookings: values.LOCKERFLOW_BATCHED_BOOKINGS === 'true',
    apiDocs: values.LOCKERFLOW_API_DOCS === 'true',
    recentTraffic: production ? 0 : (values.LOCKERFLOW_RECENT_TRAFFIC ?? defaultTraffic),
    signingKey: values.LOCKERFLOW_SIGNING_KEY,
    tokenLifetime:
      values.LOCKERFLOW_TOKEN_LIFETIME ?? (production ? productionTokenLifetime : defaultSettings.tokenLifetime),
    trustProxy: values.LOCKERFLOW_TRUST_PROXY,
    bodyRate: (values.LOCKERFLOW_BODY_RATE ?? (production ? productionBodyRate : 0)) * mebibyte,
    trustedTraces: values.LOCKERFLOW_TRUSTED_TRACES,
    rateLimit: values.LOCKERFLOW_RATE_LIMIT ?? (production ? productionRate : 0),
    maxEventLoopDelay: values.LOCKERFLOW_MAX_EVENT_LOOP_DELAY,
    maxStoreWait: values.LOCKERFLOW_MAX_STORE_WAIT,
    uidSignatureScheme: values.LOCKERFLOW_CALLBACK_HMAC,
    retention: toRetentionTimes(values),
    delivery: { maxAge: values.LOCKERFLOW_CALLBACK_MAX_DAYS * day, timeout: values.LOCKERFLOW_CALLBACK_TIMEOUT },
    ...readLimits(values),
    drainDelay: 500,
    log: createProcessLog('service', values.LOCKERFLOW_LOG_LEVEL),
  }
}

/**
 * The store of the service, for commands.
 * @throws SettingsError
 */
export function readDatabaseUrl(source: NodeJS.ProcessEnv = process.env): string {
  const { LOCKERFLOW_ENVIRONMENT, LOCKERFLOW_DATABASE_URL, LOCKERFLOW_DATABASE_TLS, LOCKERFLOW_DATABASE_CA } =
    serviceVariables
  const declared = { LOCKERFLOW_ENVIRONMENT, LOCKERFLOW_DATABASE_URL, LOCKERFLOW_DATABASE_TLS, LOCKERFLOW_DATABASE_CA }
  return secureUrl(readVariables(source, declared))
}

type StoreValues = Pick<
  Values<typeof serviceVariables>,
  'LOCKERFLOW_ENVIRONMENT' | 'LOCKERFLOW_DATABASE_URL' | 'LOCKERFLOW_DATABASE_TLS' | 'LOCKERFLOW_DATABASE_CA'
>

/** The URL of the store, with TLS unless the settings leave it to the URL. */
function secureUrl(values: StoreValues): string {
  const { LOCKERFLOW_DATABASE_URL: url, LOCKERFLOW_DATABASE_CA: authorities } = values
  const production = values.LOCKERFLOW_ENVIRONMENT === 'production'
  const isRequired = (values.LOCKERFLOW_DATABASE_TLS ?? (production ? 'required' : 'optional')) === 'required'
  if (url.startsWith('file:') || !isRequired) return url
  const parameter = findTlsParameter(url)
  if (parameter === undefined) return withTls(url, authorities)
  const { example } = serviceVariables.LOCKERFLOW_DATABASE_URL
  const wrong = `must not contain ${parameter}, since LOCKERFLOW_DATABASE_TLS is required. Set LOCKERFLOW_DATABASE_TLS=optional to keep it`
  throw new SettingsError({ name: 'LOCKERFLOW_DATABASE_URL', wrong, example })
}

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The keys that encrypt the secrets in the store, for commands; undefined in staging without a setting.
 * @throws SettingsError
 */
export function readKeyEncryption(source: NodeJS.ProcessEnv = process.env): KeyEncryption | undefined {
  const { LOCKERFLOW_ENVIRONMENT, LOCKERFLOW_STORE_KEYS } = serviceVariables
  return readVariables(source, { LOCKERFLOW_ENVIRONMENT, LOCKERFLOW_STORE_KEYS }).LOCKERFLOW_STORE_KEYS
}

/**
 * The hook of an erasure, for the command.
 * @throws SettingsError
 */
export function readErasureUrl(source: NodeJS.ProcessEnv = process.env): string | undefined {
  const { LOCKERFLOW_ENVIRONMENT, LOCKERFLOW_ERASURE_URL } = serviceVariables
  return readVariables(source, { LOCKERFLOW_ENVIRONMENT, LOCKERFLOW_ERASURE_URL }).LOCKERFLOW_ERASURE_URL
}

/** The topology of the file, or the built-in one, which production has not: there the variable is required. */
export function selectTopology({ LOCKERFLOW_TOPOLOGY: path }: Source, production: boolean): Topology {
  if (!path) return demoTopology
  try {
    return readTopology(path, { production })
  } catch (error) {
    const wrong = error instanceof Error ? error.message : String(error)
    const { example } = serviceVariables.LOCKERFLOW_TOPOLOGY
    throw new SettingsError({ name: 'LOCKERFLOW_TOPOLOGY', wrong, example })
  }
}

function publicPasswordProblem(databaseUrl: string): string | undefined {
  const password = URL.parse(databaseUrl)?.password ?? ''
  return isPublicSecret(password) ? 'must have a password of your own in production' : undefined
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
