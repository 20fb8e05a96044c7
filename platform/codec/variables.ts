import { z } from 'zod'
import { environmentVariable, ringKeysOf, type Variable } from '#platform/settings'
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

/** The variables of the key ring, with the environment, which decides if keys are required. */
export const ringVariables = { ...environmentVariable, ...codecVariables } as const
