import { createPrivateKey } from 'node:crypto'
import type { JWK } from 'jose'
import { pino } from 'pino'
import { z } from 'zod'
import {
  environmentVariable,
  readVariables,
  SettingsFault,
  type Values,
  type Variable,
  weakSchemeVariable,
} from '#contract/settings'
import { createLog } from './log.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { algorithmOf } from './signIn/index.ts'
import { demonstration, readTopology, type Topology } from './topology/index.ts'

/** Requests per second and API client in production (docs/decisions.md, Rate limits). */
const productionRate = 200

const whole = (most: number, error: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine(given => given <= most, error)

/** The variables of the service's process. */
export const serviceVariables = {
  ...environmentVariable,
  LOCKERFLOW_DATABASE_URL: {
    meaning: 'The store: a PostgreSQL database that is there, or a file that is made when it is missing.',
    example: 'postgres://lockerflow:secret@127.0.0.1:5432/lockerflow',
    schema: z
      .string()
      .regex(/^(file:.|postgres(ql)?:\/\/.)/, 'has to be a postgres:// or file: URL')
      .default('file:.lockerflow/service.db'),
  },
  LOCKERFLOW_SERVICE_PORT: {
    meaning: 'Port of the API and the token endpoint; 0 takes a free one.',
    example: '8080',
    schema: whole(65_535, 'has to be a port from 0 to 65535').default(8_080),
  },
  LOCKERFLOW_SERVICE_HOST: {
    meaning:
      'Address to listen on: all of them, but only loopback with the built-in topology, whose secrets are public.',
    example: '0.0.0.0',
    schema: z.string().optional(),
  },
  LOCKERFLOW_PUBLIC_URL: {
    meaning: 'How callers reach the service; the issuer of its tokens.',
    example: 'https://lockers.example',
    schema: z.url({ protocol: /^https?$/, error: 'has to be an http or https address' }).optional(),
  },
  LOCKERFLOW_TOPOLOGY: {
    meaning: 'File with tenants, API clients, pick up points and lockers; in staging there is a built-in one.',
    example: 'topology.yaml',
    schema: z.string().optional(),
  },
  LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS: {
    meaning: 'Whether callbacks may go to private, loopback and plain-http addresses; true in staging.',
    example: 'false',
    schema: z.enum(['true', 'false'], 'has to be true or false').optional(),
  },
  LOCKERFLOW_SIGNING_KEY: {
    meaning: 'Private JWK that signs tokens; made and kept in the store when it is not set.',
    example: '{"kty":"EC","crv":"P-256","x":"…","y":"…","d":"…"}',
    schema: z.string().optional().transform(signingKey),
  },
  LOCKERFLOW_RATE_LIMIT: {
    meaning: `Requests per second and API client; ${productionRate} in production, 0 (no limit) in staging.`,
    example: String(productionRate),
    schema: whole(1_000_000, 'has to be a whole number of requests per second').optional(),
  },
  ...weakSchemeVariable,
} as const satisfies Record<string, Variable>

/** The settings of a service process. Throws a SettingsFault. */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): Settings {
  const values = readVariables(source, serviceVariables)
  const production = values.LOCKERFLOW_ENVIRONMENT === 'production'
  const topology = topologyOf(values, production)
  if (production && values.LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS === 'true') {
    throw fault('LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS', 'cannot be true in production')
  }
  return {
    ...defaultSettings,
    environment: values.LOCKERFLOW_ENVIRONMENT,
    databaseUrl: values.LOCKERFLOW_DATABASE_URL,
    port: values.LOCKERFLOW_SERVICE_PORT,
    host: values.LOCKERFLOW_SERVICE_HOST ?? (topology === demonstration ? '127.0.0.1' : '0.0.0.0'),
    publicUrl: values.LOCKERFLOW_PUBLIC_URL,
    topology,
    privateCallbacks: !production && values.LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS !== 'false',
    signingKey: values.LOCKERFLOW_SIGNING_KEY,
    rateLimit: values.LOCKERFLOW_RATE_LIMIT ?? (production ? productionRate : 0),
    weakScheme: values.LOCKERFLOW_CALLBACK_HMAC,
    farewell: 500,
    // Standard output is for the one line that says that the process is ready.
    log: createLog('info', pino.destination({ fd: 2, sync: false })),
  }
}

function topologyOf({ LOCKERFLOW_TOPOLOGY: path }: Values<typeof serviceVariables>, production: boolean): Topology {
  if (path === undefined) {
    if (production) throw fault('LOCKERFLOW_TOPOLOGY', 'is missing; production has no built-in topology')
    return demonstration
  }
  try {
    return readTopology(path)
  } catch (error) {
    throw fault('LOCKERFLOW_TOPOLOGY', error instanceof Error ? error.message : String(error))
  }
}

function signingKey(text: string | undefined, context: z.RefinementCtx): JWK | undefined {
  if (text === undefined) return undefined
  try {
    const jwk: JWK = JSON.parse(text)
    createPrivateKey({ key: { ...jwk }, format: 'jwk' })
    if (algorithmOf(jwk) !== undefined) return jwk
  } catch {
    // The reason could quote the key.
  }
  context.addIssue('has to be a private JWK for signatures: EC (P-256, P-384, P-521), Ed25519 or RSA')
  return z.NEVER
}

function fault(name: keyof typeof serviceVariables, wrong: string): SettingsFault {
  return new SettingsFault(name, serviceVariables[name], wrong)
}
