import { type Envelope, tokenErrors } from '#contract'

export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** The fields of a token request. A field without a value counts as absent (RFC 6749 section 3.2). */
export type Form = ReadonlyMap<string, string>

type TokenErrorCode = keyof typeof tokenErrors

/**
 * Parses a form body.
 * @throws TokenError `invalid_request` when a field occurs twice
 */
export function readForm(body: string): Form {
  const form = new Map<string, string>()
  for (const [field, value] of new URLSearchParams(body)) {
    if (form.has(field)) throw new TokenError('invalid_request', 'Each field must be given once.')
    if (value !== '') form.set(field, value)
  }
  return form
}

/**
 * Reads the client's credentials from HTTP Basic or from the form (RFC 6749 section 2.3.1).
 * @throws TokenError `invalid_client` when they are missing, `invalid_request` when both have them
 */
export function readCredentials(authorization: string | undefined, form: Form): Credentials {
  const clientId = form.get('client_id')
  const clientSecret = form.get('client_secret')
  if (authorization === undefined) {
    if (clientId === undefined || clientSecret === undefined) {
      throw new TokenError('invalid_client', 'client_id and client_secret are required.')
    }
    return { clientId, clientSecret }
  }
  const basic = readBasic(authorization)
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
    throw new TokenError('invalid_request', 'Credentials belong in the Authorization header or the form, not both.')
  }
  return basic
}

function readBasic(authorization: string): Credentials {
  const [, encoded] = /^Basic +([\w+/=-]+) *$/i.exec(authorization) ?? []
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) throw new TokenError('invalid_client', 'The Authorization header has no client credentials.')
  return { clientId: decodeForm(text.slice(0, colon)), clientSecret: decodeForm(text.slice(colon + 1)) }
}

/** Decodes a form-encoded id or secret. A value that a client did not encode is read correctly unless it contains % or +. */
function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** An error of the token endpoint (RFC 6749 section 5.2). */
export class TokenError extends Error {
  readonly code: TokenErrorCode
  readonly status: number
  /** Seconds, for the Retry-After header. */
  readonly retryAfter: number | undefined

  constructor(code: TokenErrorCode, message: string, retryAfter?: number) {
    super(message)
    this.name = 'TokenError'
    this.code = code
    this.status = tokenErrors[code]
    this.retryAfter = retryAfter
  }

  /** The body of RFC 6749, which is also an envelope: both call the code `error`. */
  get body(): Envelope & { error_description: string } {
    return { error_description: this.message, success: false, error: this.code, message: this.message }
  }
}
