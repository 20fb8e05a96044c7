import { loadClientConnectConfig } from '@temporalio/envconfig'
import type { Logger } from 'pino'
import { z } from 'zod'
import {
  drivenServiceOf,
  drivenServiceVariables,
  environmentVariable,
  present,
  readVariables,
  SettingsFault,
  signatureKey,
  type Variable,
  weakSchemeVariable,
} from '#contract/settings'
import { keptCallbackKey } from './callbackKey.ts'
import type { GatewaySettings } from './settings.ts'

export const gatewayVariables = {
  ...environmentVariable,
  LOCKERFLOW_GATEWAY_HOST: {
    meaning: 'Network address that the gateway listens on.',
    example: '0.0.0.0',
    schema: z.string().default('0.0.0.0'),
  },
  LOCKERFLOW_GATEWAY_PORT: {
    meaning: 'Callbacks come in at POST /callbacks of this port; 0 takes a free one.',
    example: '8081',
    schema: z.coerce.number('has to be a port').int('has to be a port').min(0).max(65_535).default(8081),
  },
  LOCKERFLOW_GATEWAY_URL: {
    meaning: 'How the service reaches the gateway.',
    example: 'http://127.0.0.1:8081',
    schema: z.url({ protocol: /^https?$/, error: 'has to be an http or https address' }).optional(),
  },
  LOCKERFLOW_CALLBACK_KEY: {
    meaning: 'Key of the callback signature, given to the service at the start.',
    example: 'choose-32-random-characters-here',
    schema: signatureKey.optional(),
  },
  LOCKERFLOW_CALLBACK_KEY_PREVIOUS: {
    meaning: 'The key before, accepted while it is rotated.',
    example: 'the-32-characters-chosen-before..',
    schema: signatureKey.optional(),
  },
  ...weakSchemeVariable,
  ...drivenServiceVariables,
} as const satisfies Record<string, Variable>

/**
 * The settings of a gateway process; Temporal's own variables are read by its envconfig. Throws a SettingsFault.
 * @param folder where a staging gateway keeps the key that it made
 */
export function readEnvironment(
  log: Logger,
  source: NodeJS.ProcessEnv = process.env,
  folder = '.lockerflow',
): GatewaySettings {
  const values = readVariables(source, gatewayVariables)
  const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: present(source) })
  const { address = '127.0.0.1:7233', apiKey, tls, metadata } = connectionOptions
  return {
    host: values.LOCKERFLOW_GATEWAY_HOST,
    port: values.LOCKERFLOW_GATEWAY_PORT,
    url: values.LOCKERFLOW_GATEWAY_URL,
    keys: { current: currentKey(values, folder), previous: values.LOCKERFLOW_CALLBACK_KEY_PREVIOUS },
    weakScheme: values.LOCKERFLOW_CALLBACK_HMAC,
    profile: values.LOCKERFLOW_SERVICE_PROFILE,
    api: drivenServiceOf(values),
    temporal: { address, ...(apiKey && { apiKey }), ...(tls && { tls }), ...(metadata && { metadata }) },
    namespace: namespace ?? 'default',
    log,
  }
}

function currentKey(
  values: { LOCKERFLOW_ENVIRONMENT: string; LOCKERFLOW_CALLBACK_KEY: string | undefined },
  folder: string,
): string {
  const name = 'LOCKERFLOW_CALLBACK_KEY'
  if (values[name] !== undefined) return values[name]
  if (values.LOCKERFLOW_ENVIRONMENT === 'production') {
    throw new SettingsFault(name, gatewayVariables[name], 'is missing; production needs a key of its own')
  }
  const kept = keptCallbackKey(folder)
  const read = signatureKey.safeParse(kept)
  if (read.success) return read.data
  throw new SettingsFault(name, gatewayVariables[name], `${folder}/callback.key ${read.error.issues[0]?.message}`)
}
