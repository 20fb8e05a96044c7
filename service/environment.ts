import { createPrivateKey } from 'node:crypto'
import type { JWK } from 'jose'
import { pino } from 'pino'
import { z } from 'zod'
import {
  environmentVariable,
  readVariables,
  SettingsError,
  uidSignatureVariable,
  type Values,
  type Variable,
} from '#contract/settings'
import { findAlgorithm } from './auth/index.ts'
import { createLog } from './log.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { demoTopology, readTopology, type Topology } from './topology/index.ts'

/** Requests per second and API client in production (D-010). */
const productionRate = 200

const wholeNumber = (maximum: number, error: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine(value => value <= maximum, error)

export const serviceVariables = {
  ...environmentVariable,
  LOCKERFLOW_DATABASE_URL: {
    description: 'The store: an existing PostgreSQL database, or a file, which is created if it is missing.',
    example: 'postgres://lockerflow:secret@127.0.0.1:5432/lockerflow',
    schema: z
      .string()
      .regex(/^(file:.|postgres(ql)?:\/\/.)/, 'must be a postgres:// or file: URL')
      .default('file:.lockerflow/service.db'),
  },
  LOCKERFLOW_SERVICE_PORT: {
    description: 'Port of the API and the token endpoint; 0 means a free port.',
    example: '8080',
    schema: wholeNumber(65_535, 'must be a port from 0 to 65535').default(8_080),
  },
  LOCKERFLOW_SERVICE_HOST: {
    description:
      'Address to listen on. Default: all addresses, or loopback with the built-in topology, whose secrets are public.',
    example: '0.0.0.0',
    schema: z.string().optional(),
  },
  LOCKERFLOW_PUBLIC_URL: {
    description: 'Address by which callers reach the service, and the issuer of its tokens.',
    example: 'https://lockers.example',
    schema: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  },
  LOCKERFLOW_TOPOLOGY: {
    description: 'File with tenants, API clients, pick up points and lockers. Staging has a built-in one.',
    example: 'topology.yaml',
    schema: z.string().optional(),
  },
  LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS: {
    description: 'Allows callbacks to private, loopback and plain-http addresses. Default: true in staging.',
    example: 'false',
    schema: z.enum(['true', 'false'], 'must be true or false').optional(),
  },
  LOCKERFLOW_SIGNING_KEY: {
    description: 'Private JWK that signs tokens. Default: a key that the service generates and stores.',
    example: '{"kty":"EC","crv":"P-256","x":"…","y":"…","d":"…"}',
    schema: z.string().optional().transform(parseSigningKey),
  },
  LOCKERFLOW_RATE_LIMIT: {
    description: `Requests per second, API client and process. Default: ${productionRate} in production, 0 (no limit) in staging.`,
    example: String(productionRate),
    schema: wholeNumber(1_000_000, 'must be a whole number of requests per second').optional(),
  },
  ...uidSignatureVariable,
} as const satisfies Record<string, Variable>

/** @throws SettingsError */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): Settings {
  const values = readVariables(source, serviceVariables)
  const production = values.LOCKERFLOW_ENVIRONMENT === 'production'
  const topology = selectTopology(values, production)
  if (production && values.LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS === 'true') {
    throw createError('LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS', 'cannot be true in production')
  }
  return {
    ...defaultSettings,
    environment: values.LOCKERFLOW_ENVIRONMENT,
    databaseUrl: values.LOCKERFLOW_DATABASE_URL,
    port: values.LOCKERFLOW_SERVICE_PORT,
    host: values.LOCKERFLOW_SERVICE_HOST ?? (topology === demoTopology ? '127.0.0.1' : '0.0.0.0'),
    publicUrl: values.LOCKERFLOW_PUBLIC_URL,
    topology,
    allowPrivateNetworks: !production && values.LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS !== 'false',
    signingKey: values.LOCKERFLOW_SIGNING_KEY,
    rateLimit: values.LOCKERFLOW_RATE_LIMIT ?? (production ? productionRate : 0),
    uidSignatureScheme: values.LOCKERFLOW_CALLBACK_HMAC,
    drainDelay: 500,
    // To standard error: standard output has the ready line only.
    log: createLog('info', pino.destination({ fd: 2, sync: false })),
  }
}

function selectTopology({ LOCKERFLOW_TOPOLOGY: path }: Values<typeof serviceVariables>, production: boolean): Topology {
  if (path === undefined) {
    if (production) throw createError('LOCKERFLOW_TOPOLOGY', 'is missing; production has no built-in topology')
    return demoTopology
  }
  try {
    return readTopology(path)
  } catch (error) {
    throw createError('LOCKERFLOW_TOPOLOGY', error instanceof Error ? error.message : String(error))
  }
}

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

function createError(name: keyof typeof serviceVariables, problem: string): SettingsError {
  return new SettingsError(name, serviceVariables[name], problem)
}
