import { parseDuration } from '#flows'
import { createCommandLine } from '../commandLine.ts'

const usage = [
  'npm run clients -- list',
  'npm run clients -- add <client id> --tenant <tenant> [--expires 90d]',
  'npm run clients -- rotate <client id> [--overlap 1d] [--expires 90d]',
  'npm run clients -- expire <client id> [--in 1h]',
  'npm run clients -- revoke <client id> | --key <key id>',
  'npm run clients -- disable | enable | remove <client id> | --tenant <tenant>',
  'each with [--json]',
].join('\n')

const { parse, usageError } = createCommandLine(usage, {
  json: { type: 'boolean' },
  tenant: { type: 'string' },
  key: { type: 'string' },
  expires: { type: 'string' },
  overlap: { type: 'string' },
  in: { type: 'string' },
})

/** Milliseconds that the previous secret is accepted after `rotate`. */
const defaultOverlap = 86_400_000

type Target = { readonly clientId: string } | { readonly tenantId: string }

/** One verb with its arguments. Durations are milliseconds. */
export type ClientsAction =
  | { readonly act: 'list' }
  | {
      readonly act: 'add'
      readonly clientId: string
      readonly tenantId: string
      readonly lifetime?: number | undefined
    }
  | {
      readonly act: 'rotate'
      readonly clientId: string
      readonly overlap: number
      readonly lifetime?: number | undefined
    }
  | { readonly act: 'expire'; readonly clientId: string; readonly delay: number }
  | { readonly act: 'revoke'; readonly target: { readonly clientId: string } | { readonly kid: string } }
  | { readonly act: 'disable' | 'enable' | 'remove'; readonly target: Target }

export interface ClientsArguments {
  readonly action: ClientsAction
  readonly json: boolean
}

type Options = ReturnType<typeof parse>['values']

/** The options of each verb besides `--json`, and whether a client id is required. */
const verbs: Readonly<
  Record<string, { readonly options: readonly (keyof Options)[]; readonly clientId: 'yes' | 'no' | 'or option' }>
> = {
  list: { options: [], clientId: 'no' },
  add: { options: ['tenant', 'expires'], clientId: 'yes' },
  rotate: { options: ['overlap', 'expires'], clientId: 'yes' },
  expire: { options: ['in'], clientId: 'yes' },
  revoke: { options: ['key'], clientId: 'or option' },
  disable: { options: ['tenant'], clientId: 'or option' },
  enable: { options: ['tenant'], clientId: 'or option' },
  remove: { options: ['tenant'], clientId: 'or option' },
}

/**
 * Reads the command line.
 * @throws Error that names the argument, with the usage
 */
export function readArguments(args: readonly string[]): ClientsArguments {
  const { values, positionals } = parse(args)
  const [verb = '', clientId, ...others] = positionals
  const rules = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (rules === undefined) throw usageError(`verb: must be one of ${Object.keys(verbs).join(', ')}.`)
  if (others.length > 0) throw usageError(`client id: must be one argument, and "${others[0]}" is another.`)
  for (const name of Object.keys(values) as (keyof Options)[]) {
    if (name !== 'json' && !rules.options.includes(name)) throw usageError(`--${name}: must not be given to ${verb}.`)
  }
  if (rules.clientId === 'no' && clientId !== undefined) throw usageError(`client id: must not be given to ${verb}.`)
  if (rules.clientId === 'yes' && clientId === undefined) throw usageError('client id: must be given.')
  return { action: toAction(verb, clientId, values), json: values.json ?? false }
}

function toAction(verb: string, clientId: string | undefined, values: Options): ClientsAction {
  const lifetime = values.expires === undefined ? undefined : requireDuration('--expires', values.expires)
  const id = clientId ?? ''
  switch (verb) {
    case 'add':
      if (values.tenant === undefined) throw usageError('--tenant: must be given to add.')
      return { act: 'add', clientId: id, tenantId: values.tenant, lifetime }
    case 'rotate':
      return {
        act: 'rotate',
        clientId: id,
        lifetime,
        overlap: readDuration('--overlap', values.overlap, defaultOverlap),
      }
    case 'expire':
      return { act: 'expire', clientId: id, delay: readDuration('--in', values.in, 0) }
    case 'revoke':
      return { act: 'revoke', target: either(clientId, '--key', values.key, kid => ({ kid })) }
    case 'disable':
    case 'enable':
    case 'remove':
      return { act: verb, target: either(clientId, '--tenant', values.tenant, tenantId => ({ tenantId })) }
    default:
      return { act: 'list' }
  }
}

function either<Other>(
  clientId: string | undefined,
  option: string,
  value: string | undefined,
  toOther: (value: string) => Other,
): { clientId: string } | Other {
  if (clientId !== undefined && value === undefined) return { clientId }
  if (clientId === undefined && value !== undefined) return toOther(value)
  throw usageError(`${option}: must be given, or a client id, but not both.`)
}

function readDuration(option: string, text: string | undefined, unset: number): number {
  if (text === undefined) return unset
  return /^0[smhd]?$/.test(text) ? 0 : requireDuration(option, text)
}

function requireDuration(option: string, text: string): number {
  const duration = parseDuration(text)
  if (duration === undefined)
    throw usageError(`${option}: must be a duration such as 30m, 1h or 90d, and is "${text}".`)
  return duration
}
