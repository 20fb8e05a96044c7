import type { JWTPayload } from 'jose'
import type { Caller } from './caller.ts'
import type { ServiceIssuer } from './issuer.ts'

/** The claim of RFC 9068 section 2.2.3.1. */
export const defaultRolesClaim = 'roles'

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
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}
