import { accessSync, constants } from 'node:fs'
import { z } from 'zod'
import { environmentVariable, isPublicSecret, SettingsError, type Values, type Variable } from '#contract/settings'
import { encryptionKeysExample, keyRingRule, readKeyRing } from '../encryption/index.ts'
import { findTlsParameter, withTls } from '../store/postgres/tls.ts'

/** The store, and the keys that encrypt its secrets. */
export const storeVariables = {
  LOCKERFLOW_DATABASE_URL: {
    description: 'The store: an existing PostgreSQL database, or a file, which is created if it is missing.',
    example: 'postgres://lockerflow:secret@127.0.0.1:5432/lockerflow',
    schema: z.string().regex(/^(file:.|postgres(ql)?:\/\/.)/, 'must be a postgres:// or file: URL'),
    staging: 'file:.lockerflow/service.db',
    production: { problem: text => publicPasswordProblem(text) },
    secret: true,
  },
  LOCKERFLOW_DATABASE_TLS: {
    description:
      'TLS to PostgreSQL: required (the certificate and its host are verified), or optional (as the URL says). Default: required in production, optional in staging.',
    example: 'required',
    schema: z.enum(['required', 'optional'], 'must be required or optional').optional(),
  },
  LOCKERFLOW_DATABASE_CA: {
    description: "File with the certificates (PEM) of the authorities that PostgreSQL's may have. Default: Node's.",
    example: '/etc/lockerflow/postgres-ca.pem',
    schema: z.string().refine(isReadableFile, 'must be a file that the process can read').optional(),
  },
  LOCKERFLOW_STORE_KEYS: {
    description:
      'Keys that encrypt the secrets in the store, as id:key, each key 32 bytes in Base64. The first one encrypts; older ones stay readable. Default in staging: a file beside an embedded store, and a public key on PostgreSQL.',
    example: encryptionKeysExample,
    schema: z
      .string()
      .optional()
      .transform((text, context) => {
        const ring = text === undefined ? undefined : readKeyRing(text)
        if (text === undefined || ring !== undefined) return ring
        context.addIssue(keyRingRule)
        return z.NEVER
      }),
    production: { required: true },
    secret: true,
  },
} as const satisfies Record<string, Variable>

/** Those that `secureUrl` needs. */
export const urlVariables = {
  ...environmentVariable,
  LOCKERFLOW_DATABASE_URL: storeVariables.LOCKERFLOW_DATABASE_URL,
  LOCKERFLOW_DATABASE_TLS: storeVariables.LOCKERFLOW_DATABASE_TLS,
  LOCKERFLOW_DATABASE_CA: storeVariables.LOCKERFLOW_DATABASE_CA,
}

/**
 * The URL of the store, with TLS unless the settings leave it to the URL.
 * @throws SettingsError
 */
export function secureUrl(values: Values<typeof urlVariables>): string {
  const { LOCKERFLOW_DATABASE_URL: url, LOCKERFLOW_DATABASE_CA: authorities } = values
  const production = values.LOCKERFLOW_ENVIRONMENT === 'production'
  const isRequired = (values.LOCKERFLOW_DATABASE_TLS ?? (production ? 'required' : 'optional')) === 'required'
  if (url.startsWith('file:') || !isRequired) return url
  const parameter = findTlsParameter(url)
  if (parameter === undefined) return withTls(url, authorities)
  const { example } = storeVariables.LOCKERFLOW_DATABASE_URL
  const wrong = `must not contain ${parameter}, since LOCKERFLOW_DATABASE_TLS is required. Set LOCKERFLOW_DATABASE_TLS=optional to keep it`
  throw new SettingsError({ name: 'LOCKERFLOW_DATABASE_URL', wrong, example })
}

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

function publicPasswordProblem(databaseUrl: string): string | undefined {
  const password = URL.parse(databaseUrl)?.password ?? ''
  return isPublicSecret(password) ? 'must have a password of your own in production' : undefined
}
