import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { ownFlowNames } from '#platform/environment'
import { type CommandFailure, failed, misuse } from '../command/failure.ts'

/** Variables of a service and its Temporal, by name. */
export type ProfileVariables = Readonly<Record<string, string>>

/** The profiles of a user. */
export interface Profiles {
  /** The profile of commands without `--profile`. */
  readonly inUse?: string | undefined
  readonly profiles: Readonly<Record<string, ProfileVariables>>
}

/** Variables that belong together: credentials and keys go only to the addresses with which they were stored. */
const unions = [
  {
    addresses: ['LOCKERFLOW_BASE_URL', 'LOCKERFLOW_AUTH_URL'],
    credentials: ['LOCKERFLOW_CLIENT_ID', 'LOCKERFLOW_CLIENT_SECRET'],
  },
  {
    addresses: ['TEMPORAL_ADDRESS'],
    credentials: ['TEMPORAL_API_KEY', 'LOCKERFLOW_CODEC_KEYS', 'LOCKERFLOW_CODEC', ...ownFlowNames],
  },
  // Flows name their activities and calendars.
  { addresses: ['LOCKERFLOW_FLOWS'], credentials: ['LOCKERFLOW_ACTIVITIES', 'LOCKERFLOW_CALENDARS'] },
  // LOCKERFLOW_CODEC switches these keys on or off, and no other ones.
  { addresses: ['LOCKERFLOW_CODEC_KEYS'], credentials: ['LOCKERFLOW_CODEC'] },
] as const

/** Every variable that a profile may have. */
const profileVariables: readonly string[] = [
  ...new Set(unions.flatMap(({ addresses, credentials }) => [...addresses, ...credentials])),
  'TEMPORAL_NAMESPACE',
  'LOCKERFLOW_TASK_QUEUE',
  'LOCKERFLOW_TEMPORAL_UI_URL',
]

/** Variables whose values are not printed. */
export const secretVariables: readonly string[] = [
  'LOCKERFLOW_CLIENT_SECRET',
  'TEMPORAL_API_KEY',
  'LOCKERFLOW_CODEC_KEYS',
]

/** Bits of a mode that let other users in. */
const others = 0o077

/**
 * Reads the profiles. Without a file there are none.
 * @throws CommandFailure if other users can read the file, or it is damaged
 */
export function readProfiles(file: string): Profiles {
  let text: string
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & others) !== 0) throw tooOpen(file)
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { profiles: {} }
    throw error
  }
  try {
    const { inUse, profiles } = JSON.parse(text)
    if (typeof profiles === 'object' && profiles !== null) return { inUse, profiles }
  } catch {
    // The failure below does not quote the file, which has secrets.
  }
  throw failed(`${file}: must be a file of profiles.`, 'Delete the file, and run lockerflow login again.')
}

/**
 * Finds a profile.
 * @param name undefined for the one in use
 * @param source the option or variable that names it
 * @returns undefined if no profile is named or in use
 * @throws CommandFailure
 */
export function readProfile(
  file: string,
  name: string | undefined,
  source = '--profile',
): { readonly name: string; readonly variables: ProfileVariables } | undefined {
  const { inUse, profiles } = readProfiles(file)
  const chosen = name ?? inUse
  return chosen === undefined ? undefined : { name: chosen, variables: requireProfile(profiles, chosen, source) }
}

/**
 * Returns the variables of a profile.
 * @param source the option, argument or variable that names it
 * @throws CommandFailure for an unknown name
 */
export function requireProfile(profiles: Profiles['profiles'], name: string, source: string): ProfileVariables {
  const variables = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (variables !== undefined) return variables
  const known = Object.keys(profiles)
  const list =
    known.length === 0 ? 'No profile exists yet: lockerflow login adds one.' : `Known profiles: ${known.join(', ')}.`
  throw misuse(`${source}: must be the name of a profile, got "${name}". ${list}`)
}

/** The file of the profiles, in the folder of the user's settings. */
export function profileFile({ XDG_CONFIG_HOME: configured, HOME: home }: NodeJS.ProcessEnv): string {
  const folder = configured && isAbsolute(configured) ? configured : join(home || homedir(), '.config')
  return join(folder, 'lockerflow', 'profiles.json')
}

/** Writes the profiles to a file that only its owner can read. The file is complete at any time. */
export function writeProfiles(file: string, profiles: Profiles): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: 0o600 })
  // The umask can only remove bits, but a draft of an earlier process could exist.
  chmodSync(draft, 0o600)
  renameSync(draft, file)
}

/** The variables of a profile that an environment lacks. The environment takes precedence. */
export function additionsOf(variables: ProfileVariables, source: NodeJS.ProcessEnv): Record<string, string> {
  const withheld = unions.flatMap(({ addresses, credentials }) =>
    addresses.some(name => isOther(name, variables, source)) ? credentials : [],
  )
  const names = profileVariables.filter(
    name => !withheld.some(each => each === name) && !source[name] && !source[`${name}_FILE`],
  )
  return Object.fromEntries(names.flatMap(name => (variables[name] === undefined ? [] : [[name, variables[name]]])))
}

/** True for a variable that the environment sets to another value, or by a file. */
function isOther(name: string, variables: ProfileVariables, source: NodeJS.ProcessEnv): boolean {
  return Boolean(source[`${name}_FILE`] || (source[name] && source[name] !== variables[name]))
}

function tooOpen(file: string): CommandFailure {
  return failed(`${file}: must be readable by its owner only, since it has secrets.`, `Run chmod 600 ${file}.`)
}
