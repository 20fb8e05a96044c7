import { decodeJwt } from 'jose'
import { accessScope, tokenPath, tokenResponse } from '#contract'
import type { ServiceIssuer } from './issuer.ts'
import { KeysUnavailable } from './keySet.ts'

/** Milliseconds. */
const fetchTimeout = 5_000

/** Reads the tenant of the gateway's own API client from a token of it, once. @returns a function that throws KeysUnavailable */
export function createTenantSource(issuer: ServiceIssuer): () => Promise<string> {
  let known: Promise<string> | undefined
  return () => {
    known ??= readTenant(issuer).catch(error => {
      known = undefined
      throw error
    })
    return known
  }
}

async function readTenant({ authUrl, clientId, clientSecret }: ServiceIssuer): Promise<string> {
  const url = authUrl.replace(/\/+$/, '') + tokenPath
  try {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    const body = new URLSearchParams({ ...form, scope: accessScope })
    const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(fetchTimeout) })
    const { tenant } = decodeJwt(tokenResponse.parse(await response.json()).access_token)
    if (typeof tenant === 'string') return tenant
  } catch (error) {
    throw new KeysUnavailable(`${url} issued no token to the gateway`, { cause: error })
  }
  throw new KeysUnavailable(`the tokens of ${url} name no tenant`)
}
