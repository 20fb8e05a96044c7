import { misuse } from '../command/failure.ts'
import { type Given, requireDuration, textOf } from '../command/values.ts'

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
  | { readonly act: 'revoke'; readonly target: { readonly clientId: string } | { readonly kid: string } }
  | { readonly act: 'disable' | 'enable' | 'remove'; readonly target: Target }

/**
 * Reads the words after `clients <act>`.
 * @throws CommandFailure that names the argument
 */
export function readAction(act: ClientsAction['act'], given: Given): ClientsAction {
  const [clientId = ''] = given.values
  const expires = textOf(given, 'expires')
  const lifetime = expires === undefined ? undefined : requireDuration('--expires', expires)
  switch (act) {
    case 'list':
      return { act }
    case 'add':
      return { act, clientId, tenantId: textOf(given, 'tenant') ?? '', lifetime }
    case 'rotate':
      return { act, clientId, lifetime, overlap: readOverlap(textOf(given, 'overlap')) }
    case 'revoke':
      return { act, target: either(given, 'key', kid => ({ kid })) }
    default:
      return { act, target: either(given, 'tenant', tenantId => ({ tenantId })) }
  }
}

function either<Other>(given: Given, option: string, toOther: (value: string) => Other): { clientId: string } | Other {
  const [clientId] = given.values
  const value = textOf(given, option)
  if (clientId !== undefined && value === undefined) return { clientId }
  if (clientId === undefined && value !== undefined) return toOther(value)
  throw misuse(`--${option}: must be given, or a client id, but not both.`)
}

function readOverlap(text: string | undefined): number {
  if (text === undefined) return defaultOverlap
  return /^0[smhd]?$/.test(text) ? 0 : requireDuration('--overlap', text)
}
