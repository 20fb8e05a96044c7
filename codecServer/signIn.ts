import { createHash, timingSafeEqual } from 'node:crypto'
import { createVerifyToken, type TokenIssuer } from './issuer.ts'

/** How people and programs prove who they are. `none` is for loopback in staging. */
export type SignIn =
  | { readonly by: 'none' }
  | { readonly by: 'basic'; readonly users: ReadonlyMap<string, string> }
  | { readonly by: 'bearer'; readonly tokens: readonly string[]; readonly issuer?: TokenIssuer }

/**
 * Returns the name of the caller of an Authorization header; undefined if the credentials are missing or wrong. Throws
 * KeysUnavailable.
 */
export type Authenticate = (authorization: string | undefined) => Promise<string | undefined>

/** Creates the check of a kind of sign-in. Secrets are compared in constant time. */
export function createAuthenticate(signIn: SignIn): Authenticate {
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
export function challengeOf({ by }: SignIn): string {
  return by === 'basic' ? 'Basic realm="lockerflow codec", charset="UTF-8"' : 'Bearer'
}

function read(authorization: string | undefined, scheme: string): string | undefined {
  const [, name, credentials] = /^(\S+) +(\S+)$/.exec(authorization ?? '') ?? []
  return name?.toLowerCase() === scheme ? credentials : undefined
}

function findUser(users: ReadonlyMap<string, string>, credentials: string | undefined): string | undefined {
  const [, name = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(credentials ?? '', 'base64').toString()) ?? []
  const expected = users.get(name)
  // An unknown name takes as long, so that the time tells no name.
  const isRight = isSame(expected ?? unguessable, password)
  return expected !== undefined && isRight ? name : undefined
}

/** Stands for the password of an unknown name. */
const unguessable = 'x'.repeat(24)

function isSame(expected: string, given: string): boolean {
  const [one, other] = [expected, given].map(text => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
