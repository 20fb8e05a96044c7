import { createHash } from 'node:crypto'
import type { Scope } from './issuer.ts'

/** The sender of a request, by its access token. */
export interface Caller {
  /** The subject and its issuer, hashed: limits count by it. */
  readonly id: string
  /** The client or the subject, for the log. */
  readonly clientId: string
  readonly scopes: ReadonlySet<Scope>
  /** Those that may answer a question of a flow: its `who` is one of them. */
  readonly roles: ReadonlySet<string> | 'all'
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

export function hasRole({ roles }: Pick<Caller, 'roles'>, role: string): boolean {
  return roles === 'all' || roles.has(role)
}

export function toCallerId(issuer: string, subject: string): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url')
}
