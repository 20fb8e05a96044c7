import { z } from 'zod'
import { defaultUidSignatureScheme, type UidSignatureScheme, webhookHeaders } from '#contract'
import type { Variable } from './variable.ts'

const mustBeScheme =
  'must list header, algorithm (sha256, sha384, sha512) and encoding (hex, base64). The header must be one that callbacks lack'

/** Headers that a callback has in any case, or that HTTP reads itself. */
const usedHeaders: ReadonlySet<string> = new Set([
  ...Object.values(webhookHeaders),
  ...['connection', 'content-length', 'content-type', 'expect', 'host', 'keep-alive'],
  ...['traceparent', 'transfer-encoding', 'upgrade', 'user-agent'],
])

// Strict: with a misspelled word, the default would sign instead.
const uidSignatureScheme = z.strictObject({
  header: z
    .string()
    .regex(/^[\w!#$%&'*+.^`|~-]+$/)
    .toLowerCase()
    .refine(name => !usedHeaders.has(name)),
  algorithm: z.enum(['sha256', 'sha384', 'sha512']),
  encoding: z.enum(['hex', 'base64']),
})

export const uidSignatureVariable = {
  LOCKERFLOW_CALLBACK_HMAC: {
    description: "The service's own signature of callbacks.",
    example: 'header=X-HMAC;algorithm=sha256;encoding=hex',
    schema: z
      .string()
      .optional()
      .transform((text, context) => {
        const scheme = readUidSignatureScheme(text ?? '')
        if (scheme !== undefined) return scheme
        context.addIssue(mustBeScheme)
        return z.NEVER
      }),
  },
} as const satisfies Record<string, Variable>

function readUidSignatureScheme(text: string): UidSignatureScheme | undefined {
  const parts = text.split(';').filter(part => part.trim() !== '')
  const declared = Object.fromEntries(parts.map(part => part.split(/=(.*)/s, 2).map(word => word.trim())))
  return uidSignatureScheme.safeParse({ ...defaultUidSignatureScheme, ...declared }).data
}
