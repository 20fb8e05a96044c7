import type { JWTPayload } from 'jose'
import { accessScope } from '#contract'
import { clockTolerance, findTokenHeaderFault, verifyAccessToken } from '#platform/http'
import { FlowApiError } from '../problem.ts'
import { type Caller, rolesOf, rolesOfClient, toCallerId } from './caller.ts'
import type { Scope, TokenIssuer } from './issuer.ts'
import { createKeySetSource } from './keySet.ts'
import { createServiceClient } from './serviceClient.ts'

/** The audience of every token of the service. */
const serviceAudience = 'lockerflow'

/** The faults of tokens, as a caller reads them. */
const faults = {
  expired: 'has expired',
  invalid: 'is not valid',
  otherType: 'is a token of another type',
} as const

/** An issuer whose keys have been found. */
export interface Verifier {
  /** The claim `iss` of its tokens. @throws KeysUnavailable */
  issuer(): Promise<string>
  /** Checks the header of a token and finds its key, without its signature. @throws FlowApiError Unauthorized; KeysUnavailable */
  checkHeader(token: string): Promise<void>
  /** @throws FlowApiError Unauthorized; KeysUnavailable */
  verify(token: string): Promise<Caller>
  /**
   * Asks the issuer whether it still accepts a token; absent for an issuer whose tokens are valid until they expire.
   * @param timeout milliseconds
   * @throws KeysUnavailable
   */
  readonly isActive?: (token: string, timeout?: number) => Promise<boolean>
}

/** Verifies the tokens of one issuer: type, signature, issuer, audience and times, and for the service the tenant. */
export function createVerifier(source: TokenIssuer, clock: () => number): Verifier {
  const keySet = createKeySetSource(source)
  const service = source.kind === 'service' ? createServiceClient(source) : undefined
  const audience = source.kind === 'service' ? serviceAudience : source.audience
  return {
    ...(service !== undefined && { isActive: service.isActive }),
    issuer: source.kind === 'openid' ? async () => source.issuer : async () => (await keySet()).issuer,
    async checkHeader(token) {
      const { issuer, keys } = await keySet()
      const fault = await findTokenHeaderFault(token, keys, { kind: source.kind, issuer })
      if (fault !== undefined) throw invalid(faults[fault])
    },
    async verify(token) {
      const { issuer, keys } = await keySet()
      const expected = { kind: source.kind, issuer, audience, currentDate: new Date(clock()) }
      const verified = await verifyAccessToken(token, keys, expected)
      if (typeof verified === 'string') throw invalid(faults[verified])
      const { payload } = verified
      // Another tenant of the service must not start flows of this one.
      if (service !== undefined && payload.tenant !== (await service.tenant())) throw invalid('is of another tenant')
      const subject = textClaim(payload.sub) ?? textClaim(payload.client_id) ?? textClaim(payload.azp)
      if (subject === undefined) throw invalid('names no subject')
      return {
        id: toCallerId(issuer, subject),
        clientId: (textClaim(payload.client_id) ?? textClaim(payload.azp) ?? subject).slice(0, 100),
        scopes: source.kind === 'service' ? scopesOfClient(payload) : scopesOf(payload),
        roles: source.kind === 'service' ? rolesOfClient(source) : rolesOf(payload, source.rolesClaim),
        expiresAt: (Number(payload.exp) + clockTolerance) * 1_000,
      }
    },
  }
}

export function invalid(problem: string): FlowApiError {
  return new FlowApiError('Unauthorized', `The access token ${problem}.`)
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

function textClaim(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' ? claim : undefined
}
