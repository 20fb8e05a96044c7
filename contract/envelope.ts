import { z } from 'zod'
import { type ErrorCode, specifiedCodes, withoutFile, withReference } from '#contract/terms'

/** Fields of every response body (specification, Endpoints: General rules). */
export const envelope = z.object({
  success: z.boolean(),
  error: z.string().nullable(),
  message: z.string().nullable(),
})

/** The envelope that a client accepts: services may omit any of its fields. */
export const lenientEnvelope = z.object({
  success: z.boolean().nullish(),
  error: z.string().nullish(),
  message: z.string().nullish(),
})

export type Envelope = z.infer<typeof envelope>

export const succeeded = { success: true, error: null, message: null } as const satisfies Envelope

/** The envelope of every response with an error. Only codes of our own have the address of a public page in the message. */
export function failed(code: ErrorCode, message: string) {
  const text = specifiedCodes.has(code) ? message : withoutFile(withReference(code, message))
  return { success: false, error: code, message: text } as const satisfies Envelope
}
