import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { discoveryPath, keySetPath } from '#contract'
import { holdPort } from '../servers/heldPort.ts'

export interface TokenOptions {
  readonly claims?: JWTPayload
  readonly issuer?: string
  readonly audience?: string
  /** Seconds from now; null for a token that never expires. */
  readonly lifetime?: number | null
  readonly kid?: string
  /** The type in the header; null for none. */
  readonly type?: string | null
  /** Another key than the one that the key set has under the id. */
  readonly key?: CryptoKey
}

/** An OpenID provider with one key. */
export interface Issuer {
  readonly url: string
  readonly audience: string
  /** A token with both scopes. */
  token(options?: TokenOptions): Promise<string>
  /** Stops to listen, until the returned function is called. */
  goAway(): Promise<() => Promise<void>>
  /** Answers no request for the keys until the returned function is called. */
  hold(): () => void
  /** Requests for the keys. */
  readonly reads: () => number
  stop(): Promise<void>
}

export const audience = 'flows-of-the-tests'

export async function startIssuer(): Promise<Issuer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'ES256', use: 'sig' }
  let reads = 0
  let held: Promise<void> | undefined
  let port = 0
  const listen = () =>
    new Promise<Server>(resolve => {
      const server = createServer(async (request, response) => {
        if (request.url === keySetPath) {
          reads++
          await held
        }
        const body =
          request.url === discoveryPath
            ? { issuer: url(), jwks_uri: url() + keySetPath }
            : request.url === keySetPath
              ? { keys: [jwk] }
              : undefined
        response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body ?? {}))
      })
      server.listen(port, '127.0.0.1', () => resolve(server))
    })
  const url = () => `http://127.0.0.1:${port}`
  const close = (server: Server) =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  let server = await listen()
  port = (server.address() as AddressInfo).port

  return {
    url: url(),
    audience,
    token({
      claims,
      issuer = url(),
      audience: to = audience,
      lifetime = 600,
      kid = 'key-1',
      type = 'at+jwt',
      key = privateKey,
    } = {}) {
      const token = new SignJWT({ sub: 'shop', scope: 'flows:read flows:write', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid, ...(type !== null && { typ: type }) })
        .setIssuer(issuer)
        .setAudience(to)
        .setIssuedAt()
      if (lifetime !== null) token.setExpirationTime(Math.floor(Date.now() / 1_000) + lifetime)
      return token.sign(key)
    },
    async goAway() {
      await close(server)
      const refused = await holdPort(port)
      return async () => {
        server = await listen()
        refused.release()
      }
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    reads: () => reads,
    stop: () => close(server),
  }
}
