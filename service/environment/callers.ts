import { createPrivateKey } from 'node:crypto'
import type { JWK } from 'jose'
import { z } from 'zod'
import {
  apiDocsVariable,
  baseAddress,
  plainHttpProblem,
  port,
  trustProxyVariable,
  type Variable,
  wholeNumber,
} from '#platform/settings'
import { findAlgorithm } from '../auth/jwk.ts'
import { defaultSettings } from '../settings.ts'

/** Seconds (D-008). */
export const productionTokenLifetime = 900

/** The listener of the API, its callers and their tokens. */
export const callerVariables = {
  LOCKERFLOW_SERVICE_PORT: {
    description: 'Port of the API and the token endpoint; 0 means a free port.',
    example: '8080',
    schema: port(0).default(8_080),
  },
  LOCKERFLOW_SERVICE_HOST: {
    description:
      'Address to listen on. Default: all addresses; loopback without LOCKERFLOW_ENVIRONMENT, and with the built-in topology, whose secrets are public.',
    example: '0.0.0.0',
    schema: z.string().optional(),
  },
  LOCKERFLOW_PUBLIC_URL: {
    description:
      'Address at which callers reach the service, and the issuer of its tokens: all processes of a store need the same one, otherwise none accepts the tokens of another. In production http is allowed for private hosts only. Default in staging: the address that the service listens on.',
    example: 'https://lockers.example',
    schema: baseAddress.optional(),
    production: { required: true, problem: plainHttpProblem },
  },
  ...apiDocsVariable,
  LOCKERFLOW_SIGNING_KEY: {
    description: 'Private JWK that signs tokens. Default: a key that the service generates and stores.',
    example: '{"kty":"EC","crv":"P-256","x":"…","y":"…","d":"…"}',
    schema: z.string().optional().transform(parseSigningKey),
    secret: true,
  },
  LOCKERFLOW_TOKEN_LIFETIME: {
    description: `Lifetime of access tokens in seconds, 60 to 86400. Default: ${productionTokenLifetime} in production, ${defaultSettings.tokenLifetime} in staging.`,
    example: String(productionTokenLifetime),
    schema: wholeNumber({ from: 60, to: 86_400, wrong: 'must be 60 to 86400 seconds' }).optional(),
  },
  ...trustProxyVariable,
  LOCKERFLOW_TRUSTED_TRACES: {
    description:
      'Callers whose `traceparent` header the service continues, sampling included: authenticated, all or none. The others begin a trace of their own.',
    example: 'none',
    schema: z.enum(['authenticated', 'all', 'none'], 'must be authenticated, all or none').default('authenticated'),
  },
} as const satisfies Record<string, Variable>

function parseSigningKey(text: string | undefined, context: z.RefinementCtx): JWK | undefined {
  if (text === undefined) return undefined
  try {
    const jwk: JWK = JSON.parse(text)
    createPrivateKey({ key: { ...jwk }, format: 'jwk' })
    if (findAlgorithm(jwk) !== undefined) return jwk
  } catch {
    // The error message could quote the key.
  }
  context.addIssue('must be a private JWK for signatures: EC (P-256, P-384, P-521), Ed25519 or RSA')
  return z.NEVER
}
