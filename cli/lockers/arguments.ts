import { createCommandLine } from '../commandLine.ts'

const usage = [
  'npm run lockers -- list [--pup <uid>]',
  'npm run lockers -- out-of-service --pup <uid> [--locker <name>] --reason <text>',
  'npm run lockers -- in-service --pup <uid> [--locker <name>]',
  'each with [--json]',
].join('\n')

const { parse, usageError } = createCommandLine(usage, {
  json: { type: 'boolean' },
  pup: { type: 'string' },
  locker: { type: 'string' },
  reason: { type: 'string' },
})

interface Target {
  readonly pupUid: string
  /** Absent for the whole pick up point. */
  readonly lockerName?: string
}

export type LockersAction =
  | { readonly act: 'list'; readonly pupUid?: string | undefined }
  | { readonly act: 'out-of-service'; readonly target: Target; readonly reason: string }
  | { readonly act: 'in-service'; readonly target: Target }

export interface LockersArguments {
  readonly action: LockersAction
  readonly json: boolean
}

/** The options of each verb besides `--json`. */
const verbs = {
  list: ['pup'],
  'out-of-service': ['pup', 'locker', 'reason'],
  'in-service': ['pup', 'locker'],
} as const satisfies Record<string, readonly (keyof Options)[]>

type Options = ReturnType<typeof parse>['values']

/**
 * Reads the command line.
 * @throws Error that names the argument, with the usage
 */
export function readArguments(args: readonly string[]): LockersArguments {
  const { values, positionals } = parse(args)
  const [act, ...others] = positionals
  if (!isVerb(act)) throw usageError(`verb: must be one of ${Object.keys(verbs).join(', ')}.`)
  if (others.length > 0)
    throw usageError(`verb: must be the only argument without a name, and "${others[0]}" is another.`)
  const allowed: readonly string[] = [...verbs[act], 'json']
  for (const name of Object.keys(values)) {
    if (!allowed.includes(name)) throw usageError(`--${name}: must not be given to ${act}.`)
  }
  const { pup, locker, reason, json = false } = values
  if (act === 'list') return { action: { act, pupUid: pup }, json }
  if (pup === undefined) throw usageError(`--pup: must be given to ${act}.`)
  const target = { pupUid: pup, ...(locker !== undefined && { lockerName: locker }) }
  if (act === 'in-service') return { action: { act, target }, json }
  if (reason === undefined) throw usageError(`--reason: must be given to ${act}.`)
  return { action: { act, target, reason }, json }
}

function isVerb(text: string | undefined): text is keyof typeof verbs {
  return text !== undefined && Object.hasOwn(verbs, text)
}
