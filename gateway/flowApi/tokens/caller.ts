import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { accessScope } from '#contract'
import { isRecord } from '#contract/terms'
import type { Scope, ServiceIssuer, TokenIssuer } from './issuer.ts'

/** Seconds by which the clock of an issuer may differ. A token is accepted for that much longer than its claim `exp` says. */
export const clockTolerance = 5

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

/** The caller of a verified token; undefined without a subject. */
export function toCaller(payload: JWTPayload, issuer: TokenIssuer): Caller | undefined {
  const subject = textClaim(payload.sub) ?? textClaim(payload.client_id) ?? textClaim(payload.azp)
  if (subject === undefined) return undefined
  const isService = issuer.kind === 'service'
  return {
    id: createHash('sha256')
      .update(JSON.stringify([payload.iss, subject]))
      .digest('base64url'),
    clientId: (textClaim(payload.client_id) ?? textClaim(payload.azp) ?? subject).slice(0, 100),
    scopes: isService ? scopesOfClient(payload) : scopesOf(payload),
    roles: isService ? rolesOfClient(issuer) : rolesOf(payload, issuer.rolesClaim),
    expiresAt: (Number(payload.exp) + clockTolerance) * 1_000,
  }
}

/** The scopes of an OpenID provider: the claim `scope`, or the claim `scp` of some providers. */
function scopesOf({ scope, scp }: JWTPayload): ReadonlySet<Scope> {
  const listed = [scope, scp].flatMap(claim => (typeof claim === 'string' ? claim.split(' ') : (claim ?? [])))
  return new Set((['flows:read', 'flows:write'] as const).filter(each => (listed as unknown[]).includes(each)))
}

/** The clients of the service have one scope, which allows every operation. */
function scopesOfClient({ scope }: JWTPayload): ReadonlySet<Scope> {
  const isClient = typeof scope === 'string' && scope.split(' ').includes(accessScope)
  return new Set(isClient ? ['flows:read', 'flows:write'] : [])
}

/**
 * The roles in a token of an OpenID provider. A text is one role: a role can contain blanks.
 * @param claim its name, or the path of a nested claim such as `realm_access.roles`
 */
function rolesOf(payload: JWTPayload, claim = defaultRolesClaim): ReadonlySet<string> {
  const given = memberOf(payload, claim) ?? claim.split('.').reduce<unknown>(memberOf, payload)
  const listed: readonly unknown[] = Array.isArray(given) ? given : [given]
  return new Set(listed.filter((role): role is string => typeof role === 'string' && role !== ''))
}

/** The tokens of the service's own clients contain no roles, so a setting names them. */
function rolesOfClient({ roles = [] }: Pick<ServiceIssuer, 'roles'>): Caller['roles'] {
  return roles === 'all' ? roles : new Set(roles)
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function textClaim(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' ? claim : undefined
}
