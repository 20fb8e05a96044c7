import { z } from 'zod'

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
