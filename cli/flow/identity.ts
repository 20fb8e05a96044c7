import { hostname, userInfo } from 'node:os'
import { misuse } from '../command/failure.ts'

/** Printable and short, since it is a column of the audit log. */
const identityPattern = /^[^\p{Cc}\p{Cf}]{1,200}$/u

/**
 * Who acts on a flow, as its history records it: `--identity`, or the user of this machine. Temporal's own command names
 * its user in the same form.
 * @throws CommandFailure
 */
export function identityOf({ identity }: Readonly<Record<string, unknown>>): string {
  if (identity === undefined) return `lockerflow:${userName()}@${hostname()}`
  if (typeof identity === 'string' && identityPattern.test(identity)) return identity
  throw misuse('--identity: must be a name of 1 to 200 characters, such as robin@desk.')
}

/** A container may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
