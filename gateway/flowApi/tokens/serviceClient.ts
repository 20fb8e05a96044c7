import { decodeJwt } from 'jose'
import {
  accessScope,
  discoveryPath,
  introspectionPath,
  introspectionResponse,
  tokenPath,
  tokenResponse,
} from '#contract'
import type { ServiceIssuer } from './issuer.ts'
import { discover, fetchTimeout, KeysUnavailable } from './keySet.ts'

/** The gateway's own client of the service. Its functions throw KeysUnavailable. */
export interface ServiceClient {
  /** The tenant of the client, read once. */
  tenant(): Promise<string>
  /**
   * True if the service accepts a token, or has no introspection, which services other than this project's may lack.
   * @param timeout milliseconds
   */
  isActive(token: string, timeout?: number): Promise<boolean>
}

/** Creates a client that requests a token on the first call, and a new one when the service refuses it. */
export function createServiceClient(issuer: ServiceIssuer): ServiceClient {
  const address = issuer.authUrl.replace(/\/+$/, '')
  let signedIn: Promise<string> | undefined
  let tenant: Promise<string> | undefined

  function signIn(): Promise<string> {
    const requested = signedIn ?? requestToken(address + tokenPath, issuer)
    signedIn = requested
    requested.catch(() => forget(requested))
    return requested
  }

  function forget(refused: Promise<string>): void {
    if (signedIn === refused) signedIn = undefined
  }

  async function isActive(token: string, timeout = fetchTimeout): Promise<boolean> {
    const own = signIn()
    const active = await introspect(address, { token, own: await own, timeout })
    if (active !== undefined) return active
    forget(own)
    const again = await introspect(address, { token, own: await signIn(), timeout })
    if (again === undefined) throw new KeysUnavailable(`${address + introspectionPath} refused the gateway`)
    return again
  }

  return {
    isActive,
    tenant() {
      tenant ??= signIn()
        .then(own => readTenant(own, address))
        .catch(error => {
          tenant = undefined
          throw error
        })
      return tenant
    },
  }
}

async function requestToken(url: string, { clientId, clientSecret }: ServiceIssuer): Promise<string> {
  try {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    const body = new URLSearchParams({ ...form, scope: accessScope })
    const signal = AbortSignal.timeout(fetchTimeout)
    const response = await fetch(url, { method: 'POST', body, redirect: 'error', signal })
    return tokenResponse.parse(await response.json()).access_token
  } catch (error) {
    throw new KeysUnavailable(`${url} issued no token to the gateway`, { cause: error })
  }
}

function readTenant(token: string, address: string): string {
  const { tenant } = decodeJwt(token)
  if (typeof tenant === 'string') return tenant
  throw new KeysUnavailable(`the tokens of ${address} name no tenant`)
}

interface IntrospectionRequest {
  readonly token: string
  /** The gateway's own token. */
  readonly own: string
  readonly timeout: number
}

/** Undefined if the service refuses the gateway's own token. */
async function introspect(
  address: string,
  { token, own, timeout }: IntrospectionRequest,
): Promise<boolean | undefined> {
  const url = address + introspectionPath
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${own}` },
      body: new URLSearchParams({ token }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    })
    if (response.status === 401) return undefined
    // A service whose document names its introspection has one, so 404 comes from a proxy before it.
    if (response.status === 404) {
      const { introspection_endpoint: endpoint } = await discover(address + discoveryPath)
      if (!endpoint) return true
    }
    if (!response.ok) throw new Error(`status ${response.status}`)
    return introspectionResponse.parse(await response.json()).active
  } catch (error) {
    throw new KeysUnavailable(`${url} did not say whether a token is accepted`, { cause: error })
  }
}
