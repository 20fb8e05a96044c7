import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { readTemporalConnection } from '#client/connection'
import { codecVariables, readDataConverter } from '#codec'
import {
  drivenServiceVariables,
  environmentVariable,
  httpUrl,
  loadOrCreateSecret,
  logLevelVariable,
  plainHttpProblem,
  readDrivenService,
  readListeningHost,
  readTogether,
  readVariables,
  SettingsError,
  signatureKey,
  taskQueueVariable,
  uidSignatureVariable,
  type Variable,
} from '#contract/settings'
import { createProcessLog } from '#logs'
import type { GatewaySettings } from './settings.ts'

const ownVariables = {
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
    schema: z.coerce.number('must be a port').int('must be a port').min(0).max(65_535).default(8081),
  },
  LOCKERFLOW_GATEWAY_URL: {
    description:
      'Address at which the service reaches the gateway. In production http is allowed for private hosts only. Default in staging: the address that the gateway listens on.',
    example: 'https://gateway.example',
    schema: httpUrl.optional(),
    production: { required: true, problem: plainHttpProblem },
  },
  LOCKERFLOW_CALLBACK_KEY: {
    description:
      'Key of the callback signature. The gateway registers it at the service when it starts. In staging the gateway makes one and stores it.',
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
  ...uidSignatureVariable,
  ...taskQueueVariable,
} as const satisfies Record<string, Variable>

export const gatewayVariables = { ...ownVariables, ...codecVariables, ...drivenServiceVariables } as const

/**
 * Reads the settings of a gateway process.
 * @param folder of the key that a staging gateway creates
 * @throws SettingsError with every problem
 */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env, folder = '.lockerflow'): GatewaySettings {
  const { temporal, dataConverter, driven, host, values } = readTogether({
    dataConverter: () => readDataConverter(source),
    temporal: () => readTemporalConnection(source),
    driven: () => readDrivenService(source),
    host: () => readListeningHost(source, '0.0.0.0', 'LOCKERFLOW_GATEWAY_HOST'),
    values: () => readVariables(source, ownVariables),
  })
  return {
    ...temporal,
    dataConverter,
    ...driven,
    taskQueue: values.LOCKERFLOW_TASK_QUEUE,
    host,
    port: values.LOCKERFLOW_GATEWAY_PORT,
    url: values.LOCKERFLOW_GATEWAY_URL,
    keys: {
      current: values.LOCKERFLOW_CALLBACK_KEY ?? storedKey(folder),
      previous: values.LOCKERFLOW_CALLBACK_KEY_PREVIOUS,
    },
    uidSignatureScheme: values.LOCKERFLOW_CALLBACK_HMAC,
    log: createProcessLog('gateway', values.LOCKERFLOW_LOG_LEVEL),
  }
}

/** 256 random bits. */
function generateKey(): string {
  return randomBytes(32).toString('base64url')
}

/** The key of a staging gateway, which has no key in its settings. */
function storedKey(folder: string): string {
  const read = signatureKey.safeParse(loadOrCreateSecret(join(folder, 'callback.key'), generateKey))
  if (read.success) return read.data
  const name = 'LOCKERFLOW_CALLBACK_KEY'
  const wrong = `${folder}/callback.key ${read.error.issues[0]?.message}`
  throw new SettingsError({ name, wrong, example: ownVariables[name].example })
}
