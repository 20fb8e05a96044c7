import { z } from 'zod'
import { url } from '../../fields.ts'
import { operation } from '../../operation.ts'

export const callbackAuthTypes = ['None', 'HMAC', 'ApiKey'] as const
export type CallbackAuthType = (typeof callbackAuthTypes)[number]

export const ConfigureCallback = operation({
  name: 'ConfigureCallback',
  path: '/v1/Platform/ConfigureCallback',
  summary: 'Sets where status callbacks go and how they are signed; sending again what is in force changes nothing.',
  section: 'Decisions: Callback, Registration',
  effect: 'change',
  request: z.object({
    /** Null switches callbacks off. */
    url: url.nullable(),
    authType: z.enum(callbackAuthTypes),
    resetKey: z.boolean().nullish(),
    /** It may go into a header, so every character has to be one that headers carry. */
    authKey: z
      .string()
      .min(16)
      .max(200)
      .regex(/^[\x21-\x7e]+$/, 'has to be printable ASCII without blanks')
      .nullish(),
  }),
  response: z.object({
    /** Only when a new key was made. */
    authKey: z.string().nullable(),
    changed: z.boolean(),
  }),
  errors: ['InvalidCallbackUrl'],
})
