import type { PersonSelection } from '#service'
import { createCommandLine } from '../commandLine.ts'

const usage = 'npm run person -- export | erase --user <uid> [--tenant <name>] [--json]'

const { parse, usageError } = createCommandLine(usage, {
  user: { type: 'string' },
  tenant: { type: 'string' },
  json: { type: 'boolean', default: false },
})

export interface PersonArguments extends PersonSelection {
  readonly action: 'export' | 'erase'
  readonly json: boolean
}

/**
 * Reads the command line.
 * @throws Error with the usage
 */
export function readArguments(args: readonly string[]): PersonArguments {
  const { values, positionals } = parse(args)
  const [action, ...others] = positionals
  if ((action !== 'export' && action !== 'erase') || others.length > 0)
    throw usageError('The action must be export or erase.')
  if (values.user === undefined) throw usageError('--user: must be the uid of the account.')
  return { action, userUid: values.user, tenantId: values.tenant, json: values.json }
}
