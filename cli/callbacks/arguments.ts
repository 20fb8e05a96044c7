import type { CallbackFilter } from '#service'
import { createCommandLine } from '../commandLine.ts'

const usage =
  'npm run callbacks -- list | resend [--dead] [--tenant <name>] [--shipment <uid>] [--message <id>] [--json]'

const { parse, usageError } = createCommandLine(usage, {
  json: { type: 'boolean', default: false },
  dead: { type: 'boolean', default: false },
  tenant: { type: 'string' },
  shipment: { type: 'string' },
  message: { type: 'string' },
})

export interface CallbacksArguments {
  readonly action: 'list' | 'resend'
  readonly filter: CallbackFilter
  readonly json: boolean
}

/**
 * Reads the command line.
 * @throws Error with the usage
 */
export function readArguments(args: readonly string[]): CallbacksArguments {
  const { values, positionals } = parse(args)
  const [action, ...others] = positionals
  if ((action !== 'list' && action !== 'resend') || others.length > 0)
    throw usageError('The action must be list or resend.')
  const { json, dead, tenant, shipment, message } = values
  const filter = { dead, tenantId: tenant, shipmentUid: shipment, messageId: message }
  if (action === 'resend' && !dead && tenant === undefined && shipment === undefined && message === undefined)
    throw usageError('resend: must be combined with --dead, --tenant, --shipment or --message.')
  return { action, filter, json }
}
