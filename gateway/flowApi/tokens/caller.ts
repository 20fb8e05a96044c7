import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { isRecord } from '#contract/terms'
import type { Scope, ServiceIssuer } from './issuer.ts'

/** The sender of a request, by its access token. */
export interface Caller {
  /** The subject and its issuer, hashed: limits count by it. */
  readonly id: string
  /** The client or the subject, for the log. */
  readonly clientId: string
  readonly scopes: ReadonlySet<Scope>
  /** The roles of the caller. A question of a flow may be answered by a caller with the role in its `who`. */
  readonly roles: ReadonlySet<string> | 'all'
  /** When the token is refused: at its expiry, later by the tolerance of the clock. Milliseconds since 1970. */
  readonly expiresAt: number
}

/** The claim of RFC 9068 section 2.2.3.1. */
export const defaultRolesClaim = 'roles'

export function hasRole({ roles }: Pick<Caller, 'roles'>, role: string): boolean {
  return roles === 'all' || roles.has(role)
}

export function toCallerId(issuer: string, subject: string): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url')
}

/**
 * The roles in a token of an OpenID provider (D-371). A text is one role: a role can contain blanks.
 * @param claim its name, or the path of a nested claim such as `realm_access.roles`
 */
export function rolesOf(payload: JWTPayload, claim = defaultRolesClaim): ReadonlySet<string> {
  const given = memberOf(payload, claim) ?? claim.split('.').reduce<unknown>(memberOf, payload)
  const listed: readonly unknown[] = Array.isArray(given) ? given : [given]
  return new Set(listed.filter((role): role is string => typeof role === 'string' && role !== ''))
}

/** The tokens of the service's own clients contain no roles, so a setting names them. */
export function rolesOfClient({ roles = [] }: Pick<ServiceIssuer, 'roles'>): Caller['roles'] {
  return roles === 'all' ? roles : new Set(roles)
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
