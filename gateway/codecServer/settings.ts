import type { DataConverter } from '@temporalio/common'
import type { Logger } from 'pino'
import { z } from 'zod'
import { readTemporalConnection } from '#client/connection'
import { isLoopbackHost } from '#platform/addresses'
import { codecVariables, readCodecKeys, readDataConverter } from '#platform/codec'
import { createProcessLog } from '#platform/logs'
import {
  environmentVariable,
  hostVariable,
  logLevelVariable,
  port,
  readListeningHost,
  readTogether,
  readVariables,
  SettingsError,
  type Source,
  type Variable,
} from '#platform/settings'

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
  readonly log: Logger
}

/** Compared with the header as it is, so any other form would refuse the Web UI. */
const origin = z
  .string()
  .refine(
    text => URL.parse(text)?.origin === text,
    'must list origins as browsers send them, without a path: https://host or https://host:port',
  )

/** Separated by commas, spaces or lines. */
const origins = z
  .string()
  .default('')
  .transform(text => text.split(/[\s,]+/).filter(part => part !== ''))
  .pipe(z.array(origin))

const ownVariables = {
  ...environmentVariable,
  ...logLevelVariable,
  ...hostVariable,
  LOCKERFLOW_CODEC_BEHIND_PROXY: {
    description: 'True if only callers that a proxy has signed in, or those of this machine, reach the codec server.',
    example: 'true',
    schema: z.enum(['true', 'false'], 'must be true or false').default('false'),
  },
  LOCKERFLOW_CODEC_PORT: {
    description: 'Port of the codec server; 0 means a free port.',
    example: '8084',
    schema: port(0).default(8_084),
  },
  LOCKERFLOW_CODEC_ORIGINS: {
    description: 'Origins of the Web UI that may call the codec server, separated by commas.',
    example: 'http://127.0.0.1:8233',
    schema: origins,
  },
} as const satisfies Record<string, Variable>

export const codecServerVariables = { ...ownVariables, ...codecVariables } as const

/**
 * Reads the settings of a codec server.
 * @throws SettingsError with every problem
 */
export function readSettings(source: Source = process.env): CodecServerSettings {
  const { temporal, dataConverter, host, values } = readTogether({
    dataConverter: () => readDataConverter(source),
    temporal: () => readTemporalConnection(source),
    keys: () => requireKeys(source),
    host: () => readHost(source),
    values: () => readVariables(source, ownVariables),
  })
  return {
    host,
    port: values.LOCKERFLOW_CODEC_PORT,
    dataConverter,
    namespace: temporal.namespace,
    origins: values.LOCKERFLOW_CODEC_ORIGINS,
    log: createProcessLog('codec', values.LOCKERFLOW_LOG_LEVEL),
  }
}

/**
 * The server decrypts payloads for every caller that reaches it.
 * @throws SettingsError for an address other than loopback without a proxy
 */
function readHost(source: Source): string {
  const name = 'LOCKERFLOW_HOST'
  const host = readListeningHost(source, '127.0.0.1')
  if (isLoopbackHost(host) || source.LOCKERFLOW_CODEC_BEHIND_PROXY === 'true') return host
  const wrong =
    'must be a loopback address, since the codec server has no sign-in. To use another one, put a proxy that signs callers in before it and set LOCKERFLOW_CODEC_BEHIND_PROXY=true'
  throw new SettingsError({ name, wrong, example: ownVariables[name].example })
}

function requireKeys(source: Source): void {
  if (readCodecKeys(source).keys.size > 0) return
  const name = 'LOCKERFLOW_CODEC_KEYS'
  const wrong = 'is missing. The codec server needs it'
  throw new SettingsError({ name, wrong, example: codecVariables[name].example })
}
