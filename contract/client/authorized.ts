import { type HttpRequest, type HttpResponse, waitUntilAborted } from './post.ts'
import { rejectsToken } from './response.ts'
import type { TokenCache } from './tokenCache.ts'
import type { Transport } from './transport.ts'

/**
 * Posts a request with the token that all calls share. If the service rejects the token, the request is sent once more with
 * another one.
 * @throws TransportError when the request was not sent, or no response arrived
 * @throws ApiFault `SignInFailed`
 */
export type PostAuthorized = (
  request: HttpRequest,
  timeout: number,
  signal: AbortSignal | undefined,
) => Promise<HttpResponse>

export function createPostAuthorized(transport: Pick<Transport, 'post'>, tokens: TokenCache): PostAuthorized {
  let authorized = { token: '', header: '' }

  /** The header of a token. Its text is created once: V8 would hash a new text of this length at each use. */
  function toAuthorization(token: string): string {
    if (authorized.token !== token) authorized = { token, header: `Bearer ${token}` }
    return authorized.header
  }

  return async (request, timeout, signal) => {
    const send = (token: string) => {
      const headers = { ...request.headers, accept: 'application/json', authorization: toAuthorization(token) }
      return transport.post({ ...request, headers }, timeout, signal)
    }
    const token = await waitUntilAborted(tokens.get(), signal)
    const first = await send(token)
    if (!rejectsToken(first)) return first
    // A rejected request had no effect, so even a create may be sent again.
    const another = await waitUntilAborted(tokens.renew(token), signal)
    return another === token ? first : send(another)
  }
}
