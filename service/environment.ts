import { z } from 'zod'
import { createProcessLog } from '#platform/logs'
import {
  environmentVariable,
  isProduction,
  logLevelVariable,
  readListeningHost,
  readTogether,
  readVariables,
  SettingsError,
  type Source,
  uidSignatureVariable,
  type Variable,
  wholeNumber,
} from '#platform/settings'
import type { KeyEncryption } from './encryption/index.ts'
import { callerVariables, productionTokenLifetime } from './environment/callers.ts'
import { loadVariables, readLoadSettings } from './environment/load.ts'
import { secureStoreUrl, storeVariables, urlVariables } from './environment/store.ts'
import { hardwareVariables, readAdapters } from './hardware/variables.ts'
import { limitVariables, readLimits } from './limits.ts'
import { retentionVariables, toRetentionTimes } from './retention/settings.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { demoTopology } from './topology/demo.ts'
import { readTopology } from './topology/read.ts'
import type { Topology } from './topology/shape.ts'

export { listDoors } from './topology/lockers.ts'

/** Entries of each tenant, in staging. */
const defaultTraffic = 200

/** Milliseconds. */
const day = 86_400_000

export const serviceVariables = {
  ...environmentVariable,
  ...logLevelVariable,
  ...storeVariables,
  ...callerVariables,
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
  LOCKERFLOW_BATCHED_BOOKINGS: {
    description:
      'Concurrent bookings share a statement and a commit on PostgreSQL. Without it, each booking has a transaction of its own.',
    example: 'true',
    schema: z.enum(['true', 'false'], 'must be true or false').default('true'),
  },
  LOCKERFLOW_RECENT_TRAFFIC: {
    description:
      'Number of requests and callback deliveries of each tenant that a process in staging keeps in memory, for `requests tail` and `callbacks list`; 0 keeps none. Default: 200. Production keeps none.',
    example: '500',
    schema: wholeNumber({ from: 0, to: 5_000 }).optional(),
    production: {
      problem: text => (text === '0' ? undefined : 'must be 0 in production, since callbacks have personal data'),
    },
  },
  ...loadVariables,
  ...limitVariables,
  LOCKERFLOW_CALLBACK_MAX_DAYS: {
    description: 'Age in days at which a failing callback is given up. `lockerflow callbacks resend` sends it again.',
    example: '30',
    schema: wholeNumber({ from: 1, to: 3_650, wrong: 'must be a number of days from 1 to 3650' }).default(30),
  },
  ...hardwareVariables,
  ...uidSignatureVariable,
  ...retentionVariables,
} as const satisfies Record<string, Variable>

/** @throws SettingsError with every problem */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): Settings {
  const production = isProduction(source)
  const { values, databaseUrl, hardwareAdapters, topology, host } = readTogether({
    values: () => readVariables(source, serviceVariables),
    databaseUrl: () => readDatabaseUrl(source),
    hardwareAdapters: () => readAdapters(source),
    topology: () => selectTopology(source, production),
    host: () => readListeningHost(source, undefined, 'LOCKERFLOW_SERVICE_HOST'),
  })
  return {
    ...defaultSettings,
    environment: values.LOCKERFLOW_ENVIRONMENT,
    databaseUrl,
    keyEncryption: values.LOCKERFLOW_STORE_KEYS,
    port: values.LOCKERFLOW_SERVICE_PORT,
    host: host ?? (topology === demoTopology ? '127.0.0.1' : '0.0.0.0'),
    publicUrl: values.LOCKERFLOW_PUBLIC_URL,
    topology,
    hardwareAdapters,
    acceptsWeakSecrets: !production,
    allowPrivateNetworks: !production && values.LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS !== 'false',
    batchBookings: values.LOCKERFLOW_BATCHED_BOOKINGS === 'true',
    apiDocs: values.LOCKERFLOW_API_DOCS === 'true',
    recentTraffic: production ? 0 : (values.LOCKERFLOW_RECENT_TRAFFIC ?? defaultTraffic),
    signingKey: values.LOCKERFLOW_SIGNING_KEY,
    tokenLifetime:
      values.LOCKERFLOW_TOKEN_LIFETIME ?? (production ? productionTokenLifetime : defaultSettings.tokenLifetime),
    trustProxy: values.LOCKERFLOW_TRUST_PROXY,
    trustedTraces: values.LOCKERFLOW_TRUSTED_TRACES,
    ...readLoadSettings(values, production),
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
  const read = (from: Source) => secureStoreUrl(readVariables(from, urlVariables))
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
  const { LOCKERFLOW_STORE_KEYS } = storeVariables
  return readVariables(source, { ...environmentVariable, LOCKERFLOW_STORE_KEYS }).LOCKERFLOW_STORE_KEYS
}

/** The topology of the file, or the built-in one, which production does not have: there the variable is required. */
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
