import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { ConnectionOptions } from '@temporalio/client'
import type { DataConverter } from '@temporalio/common'
import type { Logger } from 'pino'
import { z } from 'zod'
import { readTemporalConnection } from '#client/connection'
import type { UidSignatureScheme } from '#contract'
import type { ApiSettings } from '#contract/client'
import type { ServiceProfile } from '#contract/terms'
import { codecVariables, readDataConverter } from '#platform/codec'
import { createProcessLog } from '#platform/logs'
import {
  baseAddress,
  drivenServiceVariables,
  entriesOf,
  environmentVariable,
  hostVariable,
  loadOrCreateSecret,
  loadTogether,
  logLevelVariable,
  plainHttpProblem,
  port,
  readDrivenService,
  readListeningHost,
  readTogether,
  readVariables,
  SettingsError,
  signatureKey,
  signatureKeys,
  taskQueueVariable,
  uidSignatureVariable,
  type Variable,
  withoutUndefined,
} from '#platform/settings'
import { type FlowApiSettings, flowApiVariables, readFlowApi } from './flowApi/settings.ts'
import type { Declarations } from './flowApi/start.ts'
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

const listeningVariables = {
  ...environmentVariable,
  ...logLevelVariable,
  ...hostVariable,
  LOCKERFLOW_GATEWAY_PORT: {
    description: 'Port of POST /callbacks; 0 means a free port.',
    example: '8081',
    schema: port(0).default(8_081),
  },
} as const satisfies Record<string, Variable>

const urlVariable = {
  LOCKERFLOW_GATEWAY_URL: {
    description:
      'Address at which the service reaches the gateway. In production http is allowed for private hosts only. Default in staging: the address that the gateway listens on.',
    example: 'https://gateway.example',
    schema: baseAddress.optional(),
    production: { required: true, problem: plainHttpProblem },
  },
} as const satisfies Record<string, Variable>

const registrationVariable = {
  LOCKERFLOW_CALLBACK_REGISTRATION: {
    description:
      'automatic: the gateway registers its address and key with the service when it starts. manual: the service has no ConfigureCallback, and a person registers them.',
    example: 'manual',
    schema: z.enum(['automatic', 'manual'], 'must be automatic or manual').default('automatic'),
  },
} as const satisfies Record<string, Variable>

const keyVariables = {
  LOCKERFLOW_CALLBACK_KEY: {
    description:
      'Key of the callback signature, or two during a rotation, as `new,old`. The gateway registers the first one with the service when it starts, and accepts both. In staging, the gateway generates and stores a key if none is set.',
    example: 'choose-32-random-characters-here',
    schema: signatureKeys.optional(),
    production: { required: true },
    secret: entriesOf,
  },
} as const satisfies Record<string, Variable>

/** Every variable of the gateway. */
export const gatewayVariables = {
  ...listeningVariables,
  ...urlVariable,
  ...registrationVariable,
  ...keyVariables,
  ...uidSignatureVariable,
  ...taskQueueVariable,
  ...codecVariables,
  ...drivenServiceVariables,
  ...flowApiVariables,
} as const

/**
 * Reads the settings of a gateway process, without the files that they name.
 * @param folder of the key that a staging gateway creates
 * @param given settings from elsewhere, whose variables may be missing
 * @throws SettingsError with every problem
 */
export function readSettings(
  source: NodeJS.ProcessEnv = process.env,
  folder = '.lockerflow',
  given: Partial<GatewaySettings> = {},
): GatewaySettings {
  const { api, profile, namespace } = given
  const { temporal, dataConverter, driven, host, url, keys, flowApi, values } = readTogether({
    dataConverter: () => given.dataConverter ?? readDataConverter(source),
    temporal: () =>
      given.temporal && namespace !== undefined
        ? { temporal: given.temporal, namespace }
        : readTemporalConnection(source),
    driven: () => (api && profile ? { api, profile } : readDrivenService(source)),
    host: () => given.host ?? readListeningHost(source, '0.0.0.0'),
    url: () => given.url ?? readVariables(source, urlVariable).LOCKERFLOW_GATEWAY_URL,
    keys: () => (given.keys ? checkKeys(given.keys) : readKeys(source)),
    flowApi: () => given.flowApi ?? readFlowApi(source, () => given.api ?? readDrivenService(source).api),
    values: () =>
      readVariables(source, {
        ...listeningVariables,
        ...registrationVariable,
        ...uidSignatureVariable,
        ...taskQueueVariable,
      }),
  })
  return {
    ...temporal,
    dataConverter,
    ...driven,
    registers: values.LOCKERFLOW_CALLBACK_REGISTRATION === 'automatic',
    taskQueue: values.LOCKERFLOW_TASK_QUEUE,
    host,
    port: values.LOCKERFLOW_GATEWAY_PORT,
    url,
    flowApi,
    // A staging gateway makes a key only after all settings have been read.
    keys: { ...keys, current: keys.current ?? storedKey(folder) },
    uidSignatureScheme: values.LOCKERFLOW_CALLBACK_HMAC,
    log: createProcessLog('gateway', values.LOCKERFLOW_LOG_LEVEL),
  }
}

/**
 * Reads the settings of a gateway process, and the declarations of custom flows that its flow API has.
 * @param folder of the key that a staging gateway creates
 * @throws SettingsError with every problem of the environment and of the files that it names
 */
export async function loadSettings(
  given: Partial<GatewaySettings> = {},
  source?: NodeJS.ProcessEnv,
  folder?: string,
): Promise<GatewaySettings> {
  const { settings, flows } = await loadTogether({
    settings: () => readSettings(source, folder, given),
    flows: () => loadOwnFlows(given.flowApi ?? findFlowFiles(source)),
  })
  const { flowApi } = settings
  return { ...settings, ...withoutUndefined(given), ...(flowApi && { flowApi: { ...flowApi, flows, flowFiles: [] } }) }
}

/** The command reads the settings of a gateway without flows, and loads no listener. */
async function loadOwnFlows(declarations: Declarations | undefined) {
  if (declarations === undefined) return []
  const { loadFlowApiFlows } = await import('./flowApi/index.ts')
  return loadFlowApiFlows(declarations)
}

/** The address that the service sends callbacks to. @param gateway LOCKERFLOW_GATEWAY_URL */
export function toCallbackAddress(gateway: string): string {
  return `${gateway.replace(/\/+$/, '')}/callbacks`
}

/** The files of a team's own flows that the flow API loads; none without a flow API. */
function findFlowFiles(source: NodeJS.ProcessEnv = process.env): Declarations | undefined {
  const { LOCKERFLOW_FLOW_API_PORT: port, LOCKERFLOW_FLOWS: files } = source
  return port && files ? { flowFiles: [files] } : undefined
}

/** Settings of a gateway that a receiver does not have, so that their variables may be missing. */
const unreadSettings = { host: '', url: '', api: { baseUrl: '', authUrl: '', clientId: '', clientSecret: '' } }

const { LOCKERFLOW_SERVICE_PROFILE } = drivenServiceVariables

/**
 * Reads the settings of a receiver in a server of another team.
 * @param given settings from elsewhere, whose variables may be missing
 * @throws SettingsError with every problem
 */
export function readReceiver(
  given: Partial<ReceiverSettings>,
  source: NodeJS.ProcessEnv = process.env,
): ReceiverSettings {
  const profile = given.profile ?? readVariables(source, { LOCKERFLOW_SERVICE_PROFILE }).LOCKERFLOW_SERVICE_PROFILE
  return { ...readSettings(source, undefined, { ...unreadSettings, ...given, profile }), ...withoutUndefined(given) }
}

function readKeys(source: NodeJS.ProcessEnv) {
  const [current, previous] = readVariables(source, keyVariables).LOCKERFLOW_CALLBACK_KEY ?? []
  return { current, previous }
}

/** With an empty key everyone can sign callbacks, so given keys follow the rule of the variables. @throws SettingsError */
function checkKeys({ current, previous }: CallbackKeys): CallbackKeys {
  const named = { current, ...(previous !== undefined && { previous }) }
  const problems = Object.entries(named).flatMap(([name, key]) => {
    const { error } = signatureKey.safeParse(key ?? '')
    return error ? [{ name: `keys.${name}`, wrong: String(error.issues[0]?.message) }] : []
  })
  if (problems.length > 0) throw new SettingsError(...problems)
  return { current, previous }
}

/** 256 random bits. */
function generateKey(): string {
  return randomBytes(32).toString('base64url')
}

/** The key of a staging gateway, which has no key in its settings. */
function storedKey(folder: string): string {
  const name = 'LOCKERFLOW_CALLBACK_KEY'
  const read = signatureKey.safeParse(loadOrCreateSecret(name, join(folder, 'callback.key'), generateKey))
  if (read.success) return read.data
  const wrong = `${folder}/callback.key ${read.error.issues[0]?.message}`
  throw new SettingsError({ name, wrong, example: keyVariables[name].example })
}
