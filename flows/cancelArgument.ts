import { isRecord } from '#contract/terms'

/** Characters. */
export const maxReason = 500

/**
 * The fault in the argument of the update `cancel`; undefined for a valid one. A cancellation cannot be taken back, so the
 * argument of another update must not cause one. Null counts as missing: clients in many languages send it.
 */
export function findCancelFault(argument: unknown): string | undefined {
  if (argument === undefined || argument === null) return undefined
  if (!isRecord(argument)) return 'the argument: must be an object, or missing.'
  const others = Object.keys(argument).filter(name => name !== 'reason')
  if (others.length > 0) return `the argument: must only have the field reason, got ${others.join(', ').slice(0, 200)}.`
  const reason = argument.reason ?? undefined
  if (reason === undefined || (typeof reason === 'string' && reason !== '' && reason.length <= maxReason))
    return undefined
  return `reason: must be a text of 1 to ${maxReason} characters, or missing.`
}
