import { z } from 'zod'
import {
  checkStoreUrl,
  databaseTlsVariables,
  environmentVariable,
  passwordOf,
  ringKeysOf,
  type Variable,
} from '#platform/settings'
import { readKeyRing } from './keyRing.ts'

/** Read by every process that reads or writes histories. */
export const codecVariables = {
  LOCKERFLOW_CODEC_KEYS: {
    description:
      'Keys that encrypt histories, as `id:key` separated by commas or lines; a key is 32 bytes in base64. The first key encrypts, and all keys decrypt.',
    example: '2026-11:ZXhhbXBsZSBvZiBhIGtleSB3aXRoIDMyIGJ5dGVzLi4=',
    schema: z
      .string()
      .optional()
      .transform((text, context) => {
        const ring = text === undefined ? undefined : readKeyRing(text)
        if (typeof ring !== 'string') return ring
        context.addIssue(ring)
        return z.NEVER
      }),
    secret: ringKeysOf,
  },
  LOCKERFLOW_CODEC: {
    description:
      'on or off. Off writes payloads unencrypted; encrypted ones stay readable with the keys. If it is not set, histories are encrypted if there are keys, and production requires keys.',
    example: 'off',
    schema: z.enum(['on', 'off'], 'must be on or off').optional(),
  },
} as const satisfies Record<string, Variable>

/** Read by the processes that show or use personal fields: workers, starters and the codec server. */
export const personalVariables = {
  LOCKERFLOW_PERSONAL_KEYS_URL: {
    description:
      "Store of the keys of persons: the service's own, whose RemoveAccount then makes names and addresses in histories unreadable, or another PostgreSQL database or file. off encrypts personal fields with the ring alone. If neither is set, a process that encrypts refuses to start a flow with personal fields. Production requires an address or off in a worker that encrypts.",
    example: 'postgres://lockerflow_keys:secret@127.0.0.1:5432/lockerflow',
    schema: z
      .string()
      .regex(/^(file:.|postgres(ql)?:\/\/|off$)/, 'must be a postgres:// or file: address, or off')
      .superRefine(checkStoreUrl)
      .optional(),
    secret: passwordOf,
  },
  ...databaseTlsVariables,
} as const satisfies Record<string, Variable>

/** The variables of the key ring, with the environment, which decides if keys are required. */
export const ringVariables = { ...environmentVariable, ...codecVariables } as const
