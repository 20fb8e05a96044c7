import { errors, type JWTHeaderParameters, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { FlowApiError } from '../problem.ts'
import { type Caller, clockTolerance, toCaller } from './caller.ts'
import type { TokenIssuer } from './issuer.ts'
import { createKeySetSource, KeysUnavailable } from './keySet.ts'
import { createServiceClient } from './serviceClient.ts'

/** The algorithms of OpenID providers. No symmetric one, whose key would be public. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** Many providers give access tokens the type JWT or none, so only another type is refused. The service has RFC 9068's. */
const types: Readonly<Record<TokenIssuer['kind'], readonly (string | undefined)[]>> = {
  openid: ['at+jwt', 'jwt', undefined],
  service: ['at+jwt'],
}

/** The audience of every token of the service. */
const serviceAudience = 'lockerflow'

/** Errors of the token itself, apart from its expiry. Any other one is about the keys, which could not be fetched or read. */
const aboutToken = [
  ...[errors.JWTClaimValidationFailed, errors.JWTInvalid, errors.JWSInvalid, errors.JWSSignatureVerificationFailed],
  ...[errors.JOSEAlgNotAllowed, errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported],
]

/** Verifies the tokens of one issuer. */
export interface Verifier {
  /** The claim `iss` of its tokens. @throws KeysUnavailable */
  issuer(): Promise<string>
  /**
   * Checks type, signature, issuer, audience and times of a token, and for the service the tenant.
   * @param beforeSignature runs when the header is in order, whose check costs little
   * @throws FlowApiError Unauthorized; KeysUnavailable; what beforeSignature throws
   */
  verify(token: string, beforeSignature: () => void): Promise<Caller>
  /**
   * Asks the issuer whether it still accepts a token; absent for an issuer whose tokens are valid until they expire.
   * @param timeout milliseconds
   * @throws KeysUnavailable
   */
  readonly isActive?: (token: string, timeout?: number) => Promise<boolean>
}

export function createVerifier(source: TokenIssuer, clock: () => number): Verifier {
  const keySet = createKeySetSource(source)
  const service = source.kind === 'service' ? createServiceClient(source) : undefined
  const audience = source.kind === 'service' ? serviceAudience : source.audience

  async function readPayload(token: string, beforeSignature: () => void): Promise<JWTPayload> {
    const { issuer, keys } = await keySet()
    const findKey: JWTVerifyGetKey = async (header, input) => {
      if (!types[source.kind].includes(typeOf(header))) throw invalid('is a token of another type')
      const key = await keys(header, input)
      beforeSignature()
      return key
    }
    const expected = { issuer, audience, currentDate: new Date(clock()), clockTolerance, requiredClaims: ['exp'] }
    try {
      return (await jwtVerify(token, findKey, { ...expected, algorithms })).payload
    } catch (error) {
      if (error instanceof FlowApiError) throw error
      if (error instanceof errors.JWTExpired) throw invalid('has expired')
      if (aboutToken.some(each => error instanceof each)) throw invalid('is not valid')
      throw new KeysUnavailable(`the keys of ${issuer} could not be read`, { cause: error })
    }
  }

  return {
    ...(service !== undefined && { isActive: service.isActive }),
    issuer: source.kind === 'openid' ? async () => source.issuer : async () => (await keySet()).issuer,
    async verify(token, beforeSignature) {
      const payload = await readPayload(token, beforeSignature)
      // Another tenant of the service must not start flows of this one.
      if (service !== undefined && payload.tenant !== (await service.tenant())) throw invalid('is of another tenant')
      return toCaller(payload, source) ?? Promise.reject(invalid('names no subject'))
    },
  }
}

function typeOf({ typ }: JWTHeaderParameters): string | undefined {
  return typ?.toLowerCase().replace(/^application\//, '')
}

export function invalid(problem: string): FlowApiError {
  return new FlowApiError('Unauthorized', `The access token ${problem}.`)
}
