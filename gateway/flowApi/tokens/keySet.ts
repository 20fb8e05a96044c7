import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { discoveryPath, keySetPath } from '#contract'
import type { TokenIssuer } from './issuer.ts'

/** Limit of one request to an issuer, in milliseconds. */
export const fetchTimeout = 5_000

/** Milliseconds after a failed request to an issuer until the next one. */
const pause = 1_000

/** The keys of an issuer could not be read, so its tokens are neither valid nor invalid. The reason is for the log. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

/** The issuer and its keys. */
export interface KeySet {
  readonly issuer: string
  readonly keys: JWTVerifyGetKey
}

const discovery = z.object({
  issuer: z.string(),
  jwks_uri: z.url({ protocol: /^https?$/ }),
  introspection_endpoint: z.string().nullish(),
})

/**
 * Finds the keys of an issuer by its discovery document (OpenID Connect Discovery 1.0 section 4). Reads the document once,
 * and retries a failed read at a later token.
 * @returns a function that throws KeysUnavailable
 */
export function createKeySetSource(issuer: TokenIssuer): () => Promise<KeySet> {
  let found: Promise<KeySet> | undefined
  const findAgain = pauseAfterFailure(() => find(issuer))
  return () => {
    found ??= findAgain().catch(error => {
      found = undefined
      throw error
    })
    return found
  }
}

/** Forged tokens must not cause a request each while the provider is down: a failure is thrown again for a while. */
function pauseAfterFailure<Parameters extends unknown[], Result>(ask: (...given: Parameters) => Promise<Result>) {
  let failure: { readonly error: unknown; readonly at: number } | undefined
  return async (...given: Parameters): Promise<Result> => {
    if (failure !== undefined && performance.now() - failure.at < pause) throw failure.error
    try {
      return await ask(...given)
    } catch (error) {
      failure = { error, at: performance.now() }
      throw error
    }
  }
}

async function find(source: TokenIssuer): Promise<KeySet> {
  if (source.kind === 'service') {
    const address = source.authUrl.replace(/\/+$/, '')
    const { issuer } = await discover(address + discoveryPath)
    // The address in the document is the public one, which the gateway may not reach.
    return { issuer, keys: remoteKeys(address + keySetPath) }
  }
  const { issuer } = source
  const document = await discover(issuer.replace(/\/+$/, '') + discoveryPath)
  if (document.issuer !== issuer) {
    throw new KeysUnavailable(`the discovery document names the issuer ${document.issuer} instead of ${issuer}`)
  }
  if (issuer.startsWith('https:') && !document.jwks_uri.startsWith('https:')) {
    throw new KeysUnavailable(`jwks_uri of ${issuer} must be https`)
  }
  return { issuer, keys: remoteKeys(document.jwks_uri) }
}

function remoteKeys(url: string): JWTVerifyGetKey {
  const request = pauseAfterFailure(async (address: string, options: RequestInit) => {
    const response = await fetch(address, options)
    if (!response.ok) throw new Error(`${address} returned ${response.status}`)
    return response
  })
  return createRemoteJWKSet(new URL(url), { timeoutDuration: fetchTimeout, [customFetch]: request })
}

/** Reads a discovery document. Throws KeysUnavailable. */
export async function discover(url: string): Promise<z.output<typeof discovery>> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(fetchTimeout) })
    return discovery.parse(await response.json())
  } catch (error) {
    throw new KeysUnavailable(`${url} could not be read`, { cause: error })
  }
}
