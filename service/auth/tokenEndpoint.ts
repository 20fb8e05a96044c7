import { accessScope, type TokenResponse } from '#contract'
import { toThrottleAddress } from '#platform/http'
import { isWeakClientSecret } from '#platform/settings'
import { type AuditEntry, recordBounded } from '../audit/index.ts'
import { inSharedCommit, type Store } from '../store/index.ts'
import { type Credentials, type Form, readCredentials, readForm, TokenError } from './credentials.ts'
import { findSecret } from './secretHash.ts'
import { forgetWrongSecrets, readAddressLock, recordWrongSecret } from './secretThrottle.ts'
import { createAttempt } from './signInAttempts.ts'
import { readSignInRecord, type SignInRecord } from './signInRecord.ts'
import type { TokenSubject, Tokens } from './tokens.ts'

export interface TokenRequest {
  /** The body; undefined when its media type is not a form. */
  readonly form: string | undefined
  readonly authorization: string | undefined
  /** The IP address of the caller, for the limit on wrong secrets. */
  readonly address: string
  /** Called when the secret is right. It throws if the client has signed in too often. */
  readonly limitRate?: (clientId: string) => void
}

export interface Granted {
  readonly clientId: string
  readonly tenantId: string
  readonly response: TokenResponse
}

/** Grants an access token. Throws a TokenError. */
export type TokenEndpoint = (request: TokenRequest) => Promise<Granted>

export interface TokenEndpointParts {
  readonly store: Store
  readonly tokens: Tokens
  /** Seconds. */
  readonly tokenLifetime: number
  /** Without it, a weak secret that the store still has from staging gets no token. */
  readonly acceptsWeakSecrets: boolean
  readonly clock: () => number
}

/** The token endpoint: OAuth 2 client credentials (specification, Authentication; RFC 6749 sections 4.4 and 5). */
export function createTokenEndpoint(parts: TokenEndpointParts): TokenEndpoint {
  const { store, tokens, tokenLifetime } = parts
  const verifySecret = createSecretCheck(parts)

  return async ({ form: body, authorization, address, limitRate }) => {
    if (body === undefined) {
      throw new TokenError('invalid_request', 'The body must be application/x-www-form-urlencoded.')
    }
    const form = readForm(body)
    const throttleAddress = toThrottleAddress(address)
    const subject = await verifySecret(readCredentials(authorization, form), throttleAddress)
    const { clientId, tenantId, denial } = subject
    if (denial !== undefined) {
      await audit(parts, 'signIn.failed', { clientId, tenantId, detail: denial })
      throw new TokenError('invalid_client', denials[denial])
    }
    checkGrant(form)
    limitRate?.(clientId)
    if (subject.failures > 0) await forgetWrongSecrets(store, clientId, throttleAddress)
    await audit(parts, 'signIn.succeeded', { clientId, tenantId })
    return {
      clientId,
      tenantId,
      response: {
        access_token: await tokens.issue(subject),
        token_type: 'bearer',
        expires_in: tokenLifetime,
        ...(form.get('scope') !== accessScope && { scope: accessScope }),
      },
    }
  }
}

/** Returns a function that finds the client with a right secret. It throws for a wrong one, which it counts. */
function createSecretCheck(parts: Pick<TokenEndpointParts, 'store' | 'acceptsWeakSecrets' | 'clock'>) {
  const { store, acceptsWeakSecrets, clock } = parts
  const attempt = createAttempt()

  return ({ clientId, clientSecret }: Credentials, address: string): Promise<SignedIn> =>
    attempt(
      JSON.stringify([clientId, address]),
      () => readSignInRecord(store, { clientId, address, now: clock() }),
      record => {
        const now = clock()
        if (record !== undefined && record.lockedUntil > 0) throw tooManyAttempts(record.lockedUntil - now)
        const secret = findSecret(record?.secrets ?? [], clientSecret)
        const reject = () => rejectSecret(parts, { clientId, record, address, now })
        if (record === undefined) return { unknown: reject }
        if (secret === undefined) return { wrong: reject }
        // A process that still has an old secret does not lock out those that have the new one.
        const isExpired = secret.expires_at !== null && secret.expires_at <= now
        const isWeak = !acceptsWeakSecrets && isWeakClientSecret(clientSecret)
        const denial = isExpired
          ? 'expiredSecret'
          : record.isDisabled
            ? 'switchedOff'
            : isWeak
              ? 'guessableSecret'
              : undefined
        return { right: { clientId, ...record, denial } }
      },
    )
}

type Recording = Pick<TokenEndpointParts, 'store' | 'clock'>

/** A failed sign-in has no transaction, and one that succeeds only reads: the entry has a commit of its own. */
function audit(
  { store, clock }: Recording,
  action: 'signIn.succeeded' | 'signIn.failed',
  entry: Partial<AuditEntry>,
): Promise<void> {
  return inSharedCommit(store, db => recordBounded(db, { ...entry, action, now: clock() }))
}

async function rejectSecret(recording: Recording, rejected: RejectedSecret): Promise<never> {
  const { store } = recording
  const { clientId, record, address, now } = rejected
  const addressLock = record === undefined ? await readAddressLock(store, address, now) : 0
  const lockedUntil =
    addressLock ||
    (await recordWrongSecret(store, {
      clientId: record && clientId,
      address,
      isUnderAttack: record?.isUnderAttack ?? false,
      now,
    }))
  await audit(
    recording,
    'signIn.failed',
    record === undefined ? { detail: 'unknownClient' } : { clientId, tenantId: record.tenantId, detail: 'wrongSecret' },
  )
  if (lockedUntil > 0) throw tooManyAttempts(lockedUntil - now)
  throw new TokenError('invalid_client', 'The client is unknown or its secret is wrong.')
}

/** Why a client with a right secret gets no token. */
const denials = {
  expiredSecret: 'The client secret has expired.',
  switchedOff: 'The client is disabled.',
  guessableSecret: 'The client secret is too weak for production. Replace it with lockerflow clients rotate.',
} as const

type SignedIn = TokenSubject & SignInRecord & { readonly denial: keyof typeof denials | undefined }

interface RejectedSecret {
  readonly clientId: string
  readonly record: SignInRecord | undefined
  readonly address: string
  readonly now: number
}

/** @param remaining milliseconds */
function tooManyAttempts(remaining: number): TokenError {
  return new TokenError('TooManyAttempts', 'Too many wrong secrets; try again later.', Math.ceil(remaining / 1_000))
}

function checkGrant(form: Form): void {
  const grant = form.get('grant_type')
  if (grant === undefined) throw new TokenError('invalid_request', 'grant_type is missing.')
  if (grant !== 'client_credentials') {
    throw new TokenError('unsupported_grant_type', 'grant_type must be client_credentials.')
  }
  const scopes = form.get('scope')?.split(' ') ?? []
  if (scopes.some(scope => scope !== accessScope)) {
    throw new TokenError('invalid_scope', `scope must be ${accessScope}.`)
  }
}
