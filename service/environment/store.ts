import { z } from 'zod'
import {
  checkStoreUrl,
  databaseTlsVariables,
  environmentVariable,
  passwordOf,
  ringKeysOf,
  secureUrl,
  type Values,
  type Variable,
} from '#platform/settings'
import { encryptionKeysExample, keyRingRule, readKeyRing } from '../encryption/keyEncryption.ts'

/** The store, and the keys that encrypt its secrets. */
export const storeVariables = {
  LOCKERFLOW_DATABASE_URL: {
    description: 'The store: an existing PostgreSQL database, or a file, which is created if it is missing.',
    example: 'postgres://lockerflow:secret@127.0.0.1:5432/lockerflow',
    schema: z
      .string()
      .regex(/^(file:.|postgres(ql)?:\/\/.)/, 'must be a postgres:// or file: URL')
      .superRefine(checkStoreUrl),
    staging: 'file:.lockerflow/service.db',
    secret: passwordOf,
  },
  ...databaseTlsVariables,
  LOCKERFLOW_STORE_KEYS: {
    description:
      'Keys that encrypt the secrets in the store, as id:key, each key 32 bytes in Base64. The first one encrypts; older ones stay readable. Default in staging: a file next to an embedded store, and a public key on PostgreSQL.',
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
    secret: ringKeysOf,
  },
} as const satisfies Record<string, Variable>

/** The variables that `secureStoreUrl` needs. */
export const urlVariables = {
  ...environmentVariable,
  LOCKERFLOW_DATABASE_URL: storeVariables.LOCKERFLOW_DATABASE_URL,
  ...databaseTlsVariables,
}

/**
 * The URL of the store, with TLS unless the settings leave it to the URL.
 * @throws SettingsError
 */
export function secureStoreUrl(values: Values<typeof urlVariables>): string {
  const name = 'LOCKERFLOW_DATABASE_URL'
  return secureUrl({ name, url: values[name], example: storeVariables[name].example }, values)
}
