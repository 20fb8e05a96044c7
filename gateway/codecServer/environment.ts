import { z } from 'zod'
import { readTemporalConnection } from '#client/connection'
import { codecVariables, readCodecKeys, readDataConverter } from '#platform/codec'
import { createProcessLog } from '#platform/logs'
import {
  environmentVariable,
  logLevelVariable,
  port,
  readListeningHost,
  readTogether,
  readVariables,
  type Source,
  type Variable,
} from '#platform/settings'
import type { CodecServerSettings } from './settings.ts'
import { list, missing, requireSignIn, signInFrom, signInVariables } from './signInEnvironment.ts'

/** Compared with the header as it is, so any other form would refuse the Web UI. */
const origins = list.pipe(
  z.array(
    z
      .string()
      .refine(
        text => URL.parse(text)?.origin === text,
        'must list origins as browsers send them, without a path: https://host or https://host:port',
      ),
  ),
)

const ownVariables = {
  ...environmentVariable,
  ...logLevelVariable,
  LOCKERFLOW_CODEC_HOST: {
    description: 'Network address of the codec server. Default: all; loopback without LOCKERFLOW_ENVIRONMENT.',
    example: '0.0.0.0',
    schema: z.string().optional(),
  },
  LOCKERFLOW_CODEC_PORT: {
    description: 'Port of the codec server; 0 means a free port.',
    example: '8084',
    schema: port(0).default(8_084),
  },
  ...signInVariables,
  LOCKERFLOW_CODEC_ORIGINS: {
    description: 'Origins of the Web UI that may call the codec server, separated by commas.',
    example: 'http://127.0.0.1:8233',
    schema: origins,
  },
  LOCKERFLOW_CODEC_ENCODE: {
    description: 'True lets callers encrypt too, for the input of flows that the `temporal` command starts.',
    example: 'false',
    schema: z.enum(['true', 'false'], 'must be true or false').default('false'),
  },
} as const satisfies Record<string, Variable>

export const codecServerVariables = { ...ownVariables, ...codecVariables } as const

/**
 * Reads the settings of a codec server.
 * @throws SettingsError with every problem
 */
export function readEnvironment(source: Source = process.env): CodecServerSettings {
  const { temporal, dataConverter, host, values } = readTogether({
    dataConverter: () => readDataConverter(source),
    temporal: () => readTemporalConnection(source),
    keys: () => requireKeys(source),
    parts: () => requireSignIn(source),
    host: () => readListeningHost(source, '0.0.0.0', 'LOCKERFLOW_CODEC_HOST'),
    values: () => readVariables(source, ownVariables),
  })
  return {
    host,
    port: values.LOCKERFLOW_CODEC_PORT,
    dataConverter,
    namespace: temporal.namespace,
    signIn: signInFrom(values),
    origins: values.LOCKERFLOW_CODEC_ORIGINS,
    encodes: values.LOCKERFLOW_CODEC_ENCODE === 'true',
    log: createProcessLog('codec', values.LOCKERFLOW_LOG_LEVEL),
  }
}

function requireKeys(source: Source): void {
  if (readCodecKeys(source).keys.size === 0) throw missing(codecVariables, 'LOCKERFLOW_CODEC_KEYS')
}
