import { TokenFailure } from './failure.ts'

export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** The form of a token request by field; a field without a value counts as left out (RFC 6749 section 3.2). */
export type Form = ReadonlyMap<string, string>

/**
 * Reads a form body.
 * @throws TokenFailure `invalid_request` when a field is given twice
 */
export function readForm(body: string): Form {
  const form = new Map<string, string>()
  for (const [field, value] of new URLSearchParams(body)) {
    if (form.has(field)) throw new TokenFailure('invalid_request', 'A field is given twice.')
    if (value !== '') form.set(field, value)
  }
  return form
}

/**
 * The client's credentials, from HTTP Basic or from the form (RFC 6749 section 2.3.1).
 * @throws TokenFailure `invalid_client` when there are none, `invalid_request` when they are in both
 */
export function readCredentials(authorization: string | undefined, form: Form): Credentials {
  const clientId = form.get('client_id')
  const clientSecret = form.get('client_secret')
  if (authorization === undefined) {
    if (clientId === undefined || clientSecret === undefined) {
      throw new TokenFailure('invalid_client', 'client_id and client_secret are needed.')
    }
    return { clientId, clientSecret }
  }
  const basic = readBasic(authorization)
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
    throw new TokenFailure('invalid_request', 'Credentials belong in the Authorization header or the form, not both.')
  }
  return basic
}

function readBasic(authorization: string): Credentials {
  const [, encoded] = /^Basic +([\w+/=-]+) *$/i.exec(authorization) ?? []
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) throw new TokenFailure('invalid_client', 'The Authorization header holds no client credentials.')
  return { clientId: formDecoded(text.slice(0, colon)), clientSecret: formDecoded(text.slice(colon + 1)) }
}

/** The two halves are form-encoded; clients that forget it are understood as long as they hold neither % nor +. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
