import { parseArgs } from 'node:util'
import type { PersonSelection } from '#service'

const usage = 'npm run person -- export | erase --user <uid> [--tenant <name>] [--json]'

export interface PersonArguments extends PersonSelection {
  readonly action: 'export' | 'erase'
  readonly json: boolean
}

/**
 * Reads the command line.
 * @throws Error with the usage
 */
export function readArguments(args: readonly string[]): PersonArguments {
  const { values, positionals } = parseOptions(args)
  const [action, ...others] = positionals
  if ((action !== 'export' && action !== 'erase') || others.length > 0)
    throw usageError('The action must be export or erase.')
  if (values.user === undefined) throw usageError('--user: must be the uid of the account.')
  return { action, userUid: values.user, tenantId: values.tenant, json: values.json }
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { user: { type: 'string' }, tenant: { type: 'string' }, json: { type: 'boolean', default: false } },
    })
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error))
  }
}

function usageError(text: string): Error {
  return new Error(`${text}\n${usage}`)
}
