import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { readTemporalConnection } from '#client/connection'
import { codecVariables, readDataConverter } from '#platform/codec'
import { createProcessLog } from '#platform/logs'
import {
  baseAddress,
  drivenServiceVariables,
  environmentVariable,
  loadOrCreateSecret,
  logLevelVariable,
  plainHttpProblem,
  port,
  readDrivenService,
  readListeningHost,
  readTogether,
  readVariables,
  SettingsError,
  signatureKey,
  taskQueueVariable,
  uidSignatureVariable,
  type Variable,
} from '#platform/settings'
import { flowApiVariables, readFlowApi } from './flowApi/environment.ts'
import type { Declarations } from './flowApi/start.ts'
import type { CallbackKeys, GatewaySettings, ReceiverSettings } from './settings.ts'

const listeningVariables = {
  ...environmentVariable,
  ...logLevelVariable,
  LOCKERFLOW_GATEWAY_HOST: {
    description: 'Network address on which the gateway listens. Default: all; loopback without LOCKERFLOW_ENVIRONMENT.',
    example: '0.0.0.0',
    schema: z.string().optional(),
  },
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
      'Key of the callback signature. The gateway registers it with the service when it starts. In staging, the gateway generates and stores a key if none is set.',
    example: 'choose-32-random-characters-here',
    schema: signatureKey.optional(),
    production: { required: true },
    secret: true,
  },
  LOCKERFLOW_CALLBACK_KEY_PREVIOUS: {
    description: 'The previous key, accepted during a rotation.',
    example: 'the-32-characters-chosen-before..',
    schema: signatureKey.optional(),
    secret: true,
  },
} as const satisfies Record<string, Variable>

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
 * Reads the settings of a gateway process.
 * @param folder of the key that a staging gateway creates
 * @param given settings from elsewhere, whose variables may be missing
 * @throws SettingsError with every problem
 */
export function readEnvironment(
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
    host: () => given.host ?? readListeningHost(source, '0.0.0.0', 'LOCKERFLOW_GATEWAY_HOST'),
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

/** The files of a team's own flows that the flow API loads; none without a flow API. */
export function findFlowFiles(source: NodeJS.ProcessEnv = process.env): Declarations | undefined {
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
  return readEnvironment(source, undefined, { ...unreadSettings, ...given, profile })
}

function readKeys(source: NodeJS.ProcessEnv) {
  const values = readVariables(source, keyVariables)
  return { current: values.LOCKERFLOW_CALLBACK_KEY, previous: values.LOCKERFLOW_CALLBACK_KEY_PREVIOUS }
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
