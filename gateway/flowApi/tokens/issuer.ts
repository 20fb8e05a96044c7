/** The tokens of an OpenID provider. */
export interface OpenIdIssuer {
  readonly kind: 'openid'
  /** The claim `iss`. Its discovery document names the address of the keys. */
  readonly issuer: string
  /** The claim `aud`. */
  readonly audience: string
  /** The claim with the roles of the caller, a text or a list, or the path of a nested one. By default `roles`. */
  readonly rolesClaim?: string | undefined
}

/** The tokens of the API clients of the service that the flows drive, those of the same tenant only. */
export interface ServiceIssuer {
  readonly kind: 'service'
  readonly authUrl: string
  /** An API client of the tenant. */
  readonly clientId: string
  readonly clientSecret: string
  /** The roles in which these clients answer questions of flows; none by default. */
  readonly roles?: readonly string[] | 'all'
}

export type TokenIssuer = OpenIdIssuer | ServiceIssuer

/** Reads allow the calls that change nothing; writes allow all. */
export type Scope = 'flows:read' | 'flows:write'

export const scopes: Readonly<Record<Scope, string>> = {
  'flows:read': 'Read the status of flows, list them and follow their events.',
  'flows:write': 'Start flows, answer, decide, assign, release and cancel.',
}
