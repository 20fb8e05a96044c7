import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createRemoteJWKSet } from 'jose'
import type { Logger } from 'pino'
import { KeysUnavailable, ListenerError, verifyAccessToken } from '#platform/http'
import type { LogThrottle } from '#platform/logs'

/** The tokens of an OpenID provider, such as those that the Web UI passes on. */
export interface TokenIssuer {
  readonly issuer: string
  readonly audience: string
  readonly keySetUrl: string
}

/** How people and programs prove who they are. `none` is for loopback in staging. */
export type SignIn =
  | { readonly by: 'none' }
  | { readonly by: 'basic'; readonly users: ReadonlyMap<string, string> }
  | { readonly by: 'bearer'; readonly tokens: readonly string[]; readonly issuer?: TokenIssuer }

/**
 * Creates the check of the Authorization header of a request. It returns the caller's name, and throws ListenerError
 * Unauthorized or Unavailable.
 */
export function createRequireUser(
  { signIn, log }: { readonly signIn: SignIn; readonly log: Pick<Logger, 'warn'> },
  throttled: LogThrottle,
) {
  const authenticate = createAuthenticate(signIn)
  return async ({ headers, ip }: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const user = await authenticate(headers.authorization).catch(error => {
      if (!(error instanceof KeysUnavailable)) throw error
      throttled('keys', suppressed =>
        log.warn({ logId: 'codec-issuer-keys-unavailable', err: error, suppressed }, 'keys of the issuer not read'),
      )
      throw new ListenerError('Unavailable', 'The keys of the issuer were not read. Try again later.')
    })
    if (user !== undefined) return user
    throttled(ip, suppressed => log.warn({ logId: 'codec-sign-in-failed', ip, suppressed }, 'codec sign-in failed'))
    reply.header('www-authenticate', challengeOf(signIn))
    throw new ListenerError('Unauthorized', 'The Authorization header must have valid credentials.')
  }
}

/**
 * Returns the name of the caller of an Authorization header; undefined if the credentials are missing or wrong. Throws
 * KeysUnavailable.
 */
type Authenticate = (authorization: string | undefined) => Promise<string | undefined>

/** Creates the check of a kind of sign-in. Secrets are compared in constant time. */
function createAuthenticate(signIn: SignIn): Authenticate {
  if (signIn.by === 'none') return async () => 'local'
  if (signIn.by === 'basic') return async authorization => findUser(signIn.users, read(authorization, 'basic'))
  const { tokens, issuer } = signIn
  const verify = issuer === undefined ? async () => undefined : createVerifyToken(issuer)
  return async authorization => {
    const token = read(authorization, 'bearer')
    if (token === undefined) return undefined
    return tokens.some(each => isSame(each, token)) ? 'token' : verify(token)
  }
}

/** The header with which a response asks for credentials. */
function challengeOf({ by }: SignIn): string {
  return by === 'basic' ? 'Basic realm="lockerflow codec", charset="UTF-8"' : 'Bearer'
}

/**
 * Creates the check of a token of the issuer.
 * @returns its subject, or undefined for a token that is not valid. Throws KeysUnavailable.
 */
function createVerifyToken({ issuer, audience, keySetUrl }: TokenIssuer) {
  const keySet = createRemoteJWKSet(new URL(keySetUrl))
  return async (token: string): Promise<string | undefined> => {
    const expected = { kind: 'openid', issuer, audience } as const
    const verified = await verifyAccessToken(token, keySet, expected, keySetUrl)
    return typeof verified === 'string' ? undefined : (verified.payload.sub ?? 'token')
  }
}

function read(authorization: string | undefined, scheme: string): string | undefined {
  const [, name, credentials] = /^(\S+) +(\S+)$/.exec(authorization ?? '') ?? []
  return name?.toLowerCase() === scheme ? credentials : undefined
}

function findUser(users: ReadonlyMap<string, string>, credentials: string | undefined): string | undefined {
  const [, name = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(credentials ?? '', 'base64').toString()) ?? []
  const expected = users.get(name)
  // An unknown name takes as long, so the time does not reveal which names exist.
  const isRight = isSame(expected ?? unguessable, password)
  return expected !== undefined && isRight ? name : undefined
}

/** Stands for the password of an unknown name. */
const unguessable = 'x'.repeat(24)

function isSame(expected: string, given: string): boolean {
  const [one, other] = [expected, given].map(text => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
