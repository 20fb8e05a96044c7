import { z } from 'zod'
import { readTemporalConnection } from '#client/connection'
import { codecVariables, personalVariables, readCodec, readCodecKeys } from '#codec'
import {
  environmentVariable,
  httpUrl,
  isGiven,
  logLevelVariable,
  port,
  readListeningHost,
  readTogether,
  readVariables,
  SettingsError,
  type Source,
  type Values,
  type Variable,
} from '#contract/settings'
import { createProcessLog } from '#logs'
import type { CodecServerSettings } from './settings.ts'
import type { SignIn } from './signIn.ts'

const list = z
  .string()
  .default('')
  .transform(text => text.split(/[\s,]+/).filter(part => part !== ''))

/** Long secrets need no count of wrong guesses. */
const users = list.pipe(
  z.array(z.string().regex(/^[^:\s]{1,60}:\S{16,}$/, 'must list name:password, each password 16 characters or more')),
)
const tokens = list.pipe(z.array(z.string().min(24, 'must list tokens of 24 characters or more')))

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
  LOCKERFLOW_CODEC_SIGN_IN: {
    description: 'How callers of the codec server sign in: basic or bearer.',
    example: 'basic',
    schema: z.enum(['basic', 'bearer'], 'must be basic or bearer').default('basic'),
  },
  LOCKERFLOW_CODEC_USERS: {
    description: 'With basic: names and passwords of people, as `name:password` separated by commas or lines.',
    example: 'robin:choose-16-characters-or-more',
    schema: users,
    secret: true,
  },
  LOCKERFLOW_CODEC_TOKENS: {
    description: 'With bearer: tokens of programs, separated by commas or lines.',
    example: 'choose-24-characters-or-more-here',
    schema: tokens,
    secret: true,
  },
  LOCKERFLOW_CODEC_ISSUER: {
    description: 'With bearer: issuer of the tokens that the Web UI passes on.',
    example: 'https://login.example',
    schema: httpUrl.optional(),
  },
  LOCKERFLOW_CODEC_AUDIENCE: {
    description: 'Audience of those tokens.',
    example: 'temporal',
    schema: z.string().optional(),
  },
  LOCKERFLOW_CODEC_JWKS_URL: {
    description: 'Address of the keys of that issuer.',
    example: 'https://login.example/.well-known/jwks.json',
    schema: httpUrl.optional(),
    // Keys that arrive over plain http could be an attacker's.
    production: { problem: text => (text.startsWith('https:') ? undefined : 'must be https in production') },
  },
  LOCKERFLOW_CODEC_ORIGINS: {
    description: 'Origins of the Web UI that may call the codec server, separated by commas.',
    example: 'http://127.0.0.1:8233',
    schema: list,
  },
  LOCKERFLOW_CODEC_ENCODE: {
    description: 'True lets callers encrypt too, for the input of flows that the `temporal` command starts.',
    example: 'false',
    schema: z.enum(['true', 'false'], 'must be true or false').default('false'),
  },
} as const satisfies Record<string, Variable>

export const codecServerVariables = { ...ownVariables, ...codecVariables, ...personalVariables } as const

/**
 * Reads the settings of a codec server.
 * @throws SettingsError with every problem
 */
export function readEnvironment(source: Source = process.env): CodecServerSettings {
  const { temporal, codec, host, values } = readTogether({
    codec: () => readCodec(source),
    temporal: () => readTemporalConnection(source),
    keys: () => requireKeys(source),
    parts: () => requireSignIn(source),
    host: () => readListeningHost(source, '0.0.0.0', 'LOCKERFLOW_CODEC_HOST'),
    values: () => readVariables(source, ownVariables),
  })
  return {
    host,
    port: values.LOCKERFLOW_CODEC_PORT,
    ...codec,
    namespace: temporal.namespace,
    signIn: signInFrom(values),
    origins: values.LOCKERFLOW_CODEC_ORIGINS,
    encodes: values.LOCKERFLOW_CODEC_ENCODE === 'true',
    log: createProcessLog('codec', values.LOCKERFLOW_LOG_LEVEL),
  }
}

function requireKeys(source: Source): void {
  if (readCodecKeys(source).keys.size === 0) throw missing('LOCKERFLOW_CODEC_KEYS')
}

/** @throws SettingsError with the missing parts of the way to sign in */
function requireSignIn(source: Source): void {
  const lacking = (...names: readonly (keyof typeof ownVariables)[]) => names.filter(name => !isGiven(source, name))
  const by = source.LOCKERFLOW_CODEC_SIGN_IN || 'basic'
  const names =
    by === 'basic'
      ? lacking('LOCKERFLOW_CODEC_USERS')
      : by !== 'bearer'
        ? []
        : isGiven(source, 'LOCKERFLOW_CODEC_ISSUER')
          ? lacking('LOCKERFLOW_CODEC_AUDIENCE', 'LOCKERFLOW_CODEC_JWKS_URL')
          : lacking('LOCKERFLOW_CODEC_TOKENS')
  if (names.length > 0) throw missing(...names)
}

/** @throws SettingsError for a list without an entry */
function signInFrom(values: Values<typeof ownVariables>): SignIn {
  if (values.LOCKERFLOW_CODEC_SIGN_IN === 'basic') {
    const entries = values.LOCKERFLOW_CODEC_USERS.map(each => [each.split(':')[0] ?? '', each.replace(/^[^:]*:/, '')])
    if (entries.length === 0) throw missing('LOCKERFLOW_CODEC_USERS')
    return { by: 'basic', users: new Map(entries as [string, string][]) }
  }
  const { LOCKERFLOW_CODEC_TOKENS: tokens, LOCKERFLOW_CODEC_ISSUER: issuer } = values
  const { LOCKERFLOW_CODEC_AUDIENCE: audience, LOCKERFLOW_CODEC_JWKS_URL: keySetUrl } = values
  if (issuer !== undefined && audience !== undefined && keySetUrl !== undefined)
    return { by: 'bearer', tokens, issuer: { issuer, audience, keySetUrl } }
  if (tokens.length === 0) throw missing('LOCKERFLOW_CODEC_TOKENS')
  return { by: 'bearer', tokens }
}

function missing(...names: readonly (keyof typeof codecServerVariables)[]): SettingsError {
  const wrong = 'is missing. The codec server needs it'
  return new SettingsError(...names.map(name => ({ name, wrong, example: codecServerVariables[name].example })))
}
