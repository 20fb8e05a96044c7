import type { Logger } from 'pino'
import { z } from 'zod'
import { readTemporalConnection } from '#client/connection'
import {
  drivenServiceVariables,
  environmentVariable,
  readDrivenService,
  readVariables,
  SettingsError,
  signatureKey,
  uidSignatureVariable,
  type Variable,
} from '#contract/settings'
import { loadOrCreateCallbackKey } from './callbackKey.ts'
import type { GatewaySettings } from './settings.ts'

export const gatewayVariables = {
  ...environmentVariable,
  LOCKERFLOW_GATEWAY_HOST: {
    description: 'Network address on which the gateway listens.',
    example: '0.0.0.0',
    schema: z.string().default('0.0.0.0'),
  },
  LOCKERFLOW_GATEWAY_PORT: {
    description: 'Port of POST /callbacks; 0 means a free port.',
    example: '8081',
    schema: z.coerce.number('must be a port').int('must be a port').min(0).max(65_535).default(8081),
  },
  LOCKERFLOW_GATEWAY_URL: {
    description: 'Address at which the service reaches the gateway.',
    example: 'http://127.0.0.1:8081',
    schema: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  },
  LOCKERFLOW_CALLBACK_KEY: {
    description: 'Key of the callback signature. The gateway registers it at the service when it starts.',
    example: 'choose-32-random-characters-here',
    schema: signatureKey.optional(),
  },
  LOCKERFLOW_CALLBACK_KEY_PREVIOUS: {
    description: 'The previous key, accepted during a rotation.',
    example: 'the-32-characters-chosen-before..',
    schema: signatureKey.optional(),
  },
  ...uidSignatureVariable,
  ...drivenServiceVariables,
} as const satisfies Record<string, Variable>

/**
 * Reads the settings of a gateway process.
 * @param folder of the key that a staging gateway creates
 * @throws SettingsError
 */
export function readEnvironment(
  log: Logger,
  source: NodeJS.ProcessEnv = process.env,
  folder = '.lockerflow',
): GatewaySettings {
  const values = readVariables(source, gatewayVariables)
  return {
    ...readTemporalConnection(source),
    host: values.LOCKERFLOW_GATEWAY_HOST,
    port: values.LOCKERFLOW_GATEWAY_PORT,
    url: values.LOCKERFLOW_GATEWAY_URL,
    keys: { current: currentKey(values, folder), previous: values.LOCKERFLOW_CALLBACK_KEY_PREVIOUS },
    uidSignatureScheme: values.LOCKERFLOW_CALLBACK_HMAC,
    profile: values.LOCKERFLOW_SERVICE_PROFILE,
    api: readDrivenService(values),
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
    throw new SettingsError(name, gatewayVariables[name], 'is missing. Production needs a key of its own')
  }
  const stored = loadOrCreateCallbackKey(folder)
  const read = signatureKey.safeParse(stored)
  if (read.success) return read.data
  throw new SettingsError(name, gatewayVariables[name], `${folder}/callback.key ${read.error.issues[0]?.message}`)
}
