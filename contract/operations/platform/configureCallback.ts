import { z } from 'zod'
import { optional, url } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { isWebhookKey, mustBeWebhookKey } from '../../signature.ts'

const callbackAuthTypes = ['None', 'HMAC', 'ApiKey'] as const
export type CallbackAuthType = (typeof callbackAuthTypes)[number]

export const ConfigureCallback = operation({
  name: 'ConfigureCallback',
  path: '/v1/Platform/ConfigureCallback',
  summary:
    'Sets the address and the signature of status callbacks. A tenant has one address. Repeating the current values changes nothing.',
  effect: 'change',
  request: z.object({
    /** Null disables callbacks. */
    url: url.nullable(),
    authType: z.enum(callbackAuthTypes),
    resetKey: z.boolean().nullish(),
    /** Only characters that are valid in a header, because ApiKey sends it in one. */
    authKey: optional(
      z
        .string()
        .min(16)
        .max(200)
        .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without blanks')
        .refine(isWebhookKey, mustBeWebhookKey)
        // With the length, because the document has no minimum for a text that may be empty.
        .meta({ pattern: '^[\\x21-\\x7e]{16,200}$' }),
    ),
  }),
  response: z.object({
    /** Set only if a new key was generated. */
    authKey: z.string().nullable(),
    changed: z.boolean(),
  }),
  errors: ['InvalidCallbackUrl'],
})
