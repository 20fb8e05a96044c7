import { z } from 'zod'
import { entriesOf, httpUrl, isGiven, SettingsError, type Source, type Values, type Variable } from '#platform/settings'
import type { SignIn } from './signIn.ts'

/** The entries of a list that is separated by commas, spaces or lines. */
export const list = z
  .string()
  .default('')
  .transform(text => text.split(/[\s,]+/).filter(part => part !== ''))

/** Long secrets need no count of wrong guesses. */
const users = list.pipe(
  z.array(z.string().regex(/^[^:\s]{1,60}:\S{16,}$/, 'must list name:password, each password 16 characters or more')),
)
const tokens = list.pipe(z.array(z.string().min(24, 'must list tokens of 24 characters or more')))

/** The variables that say how callers sign in. */
export const signInVariables = {
  LOCKERFLOW_CODEC_SIGN_IN: {
    description: 'How callers of the codec server sign in: basic or bearer.',
    example: 'basic',
    schema: z.enum(['basic', 'bearer'], 'must be basic or bearer').default('basic'),
  },
  LOCKERFLOW_CODEC_USERS: {
    description: 'With basic: names and passwords of people, as `name:password` separated by commas or lines.',
    example: 'robin:choose-16-characters-or-more',
    schema: users,
    secret: entriesOf,
  },
  LOCKERFLOW_CODEC_TOKENS: {
    description: 'With bearer: tokens of programs, separated by commas or lines.',
    example: 'choose-24-characters-or-more-here',
    schema: tokens,
    secret: entriesOf,
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
} as const satisfies Record<string, Variable>

/** @throws SettingsError with the missing parts of the way to sign in */
export function requireSignIn(source: Source): void {
  const lacking = (...names: readonly (keyof typeof signInVariables)[]) => names.filter(name => !isGiven(source, name))
  const by = source.LOCKERFLOW_CODEC_SIGN_IN || 'basic'
  const names =
    by === 'basic'
      ? lacking('LOCKERFLOW_CODEC_USERS')
      : by !== 'bearer'
        ? []
        : isGiven(source, 'LOCKERFLOW_CODEC_ISSUER')
          ? lacking('LOCKERFLOW_CODEC_AUDIENCE', 'LOCKERFLOW_CODEC_JWKS_URL')
          : lacking('LOCKERFLOW_CODEC_TOKENS')
  if (names.length > 0) throw missing(signInVariables, ...names)
}

/** @throws SettingsError for a list without an entry */
export function signInFrom(values: Values<typeof signInVariables>): SignIn {
  if (values.LOCKERFLOW_CODEC_SIGN_IN === 'basic') {
    const entries = values.LOCKERFLOW_CODEC_USERS.map(each => [each.split(':')[0] ?? '', each.replace(/^[^:]*:/, '')])
    if (entries.length === 0) throw missing(signInVariables, 'LOCKERFLOW_CODEC_USERS')
    return { by: 'basic', users: new Map(entries as [string, string][]) }
  }
  const { LOCKERFLOW_CODEC_TOKENS: tokens, LOCKERFLOW_CODEC_ISSUER: issuer } = values
  const { LOCKERFLOW_CODEC_AUDIENCE: audience, LOCKERFLOW_CODEC_JWKS_URL: keySetUrl } = values
  if (issuer !== undefined && audience !== undefined && keySetUrl !== undefined)
    return { by: 'bearer', tokens, issuer: { issuer, audience, keySetUrl } }
  if (tokens.length === 0) throw missing(signInVariables, 'LOCKERFLOW_CODEC_TOKENS')
  return { by: 'bearer', tokens }
}

/** The error of variables that have no value. */
export function missing<Name extends string>(
  variables: Readonly<Record<Name, Pick<Variable, 'example'>>>,
  ...names: readonly Name[]
): SettingsError {
  const wrong = 'is missing. The codec server needs it'
  return new SettingsError(...names.map(name => ({ name, wrong, example: variables[name].example })))
}
