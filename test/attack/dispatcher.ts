import { type HttpResponse, send } from './http.ts'
import type { OperationName } from './operations.ts'
import { pathOf } from './operations.ts'

/** The service under attack: its addresses, its environment, and one API client of each of two tenants. */
export interface Target {
  readonly mode: 'staging' | 'production'
  readonly baseUrl: string
  readonly authUrl: string
  readonly attacker: Credentials
  readonly victim: Credentials
  /** The key of the hardware adapter; without it only unsigned events are checked. */
  readonly hardwareKey?: string | undefined
  /** The address at which a gateway receives callbacks. */
  readonly callbacks?: string
}

export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

export interface CallOptions {
  /** The Authorization header; null sends none. Default: the dispatcher's own token. */
  readonly authorization?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** An API client of one tenant, which knows the specification only. */
export interface Dispatcher {
  readonly clientId: string
  readonly token: string
  call(name: OperationName, body: unknown, options?: CallOptions): Promise<HttpResponse>
  /** Sends a body as it is. */
  post(path: string, body: string | Uint8Array, options?: CallOptions): Promise<HttpResponse>
}

/** Signs in. @throws Error when the service grants no token */
export async function signIn(target: Target, { clientId, clientSecret }: Credentials): Promise<Dispatcher> {
  const response = await requestToken(target, { client_id: clientId, client_secret: clientSecret })
  const token = response.json.access_token
  if (typeof token !== 'string') throw new Error(`no token for ${clientId}: ${response.status} ${response.text}`)

  function post(path: string, body: string | Uint8Array, { authorization, headers }: CallOptions = {}) {
    const sent = authorization === undefined ? `Bearer ${token}` : authorization
    return send(target.baseUrl, {
      path,
      headers: { 'content-type': 'application/json', ...(sent !== null && { authorization: sent }), ...headers },
      body,
    })
  }

  return {
    clientId,
    token,
    post,
    call: (name, body, options) => post(pathOf(name), JSON.stringify(body), options),
  }
}

/** Requests a token; the form has the grant and the scope of the specification unless it names others. */
export function requestToken(
  target: Target,
  form: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  const standard = { grant_type: 'client_credentials', scope: 'integration_api' }
  return send(target.authUrl, {
    path: '/connect/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof form === 'string' ? form : new URLSearchParams({ ...standard, ...form }).toString(),
  })
}
