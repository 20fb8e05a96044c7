import { z } from 'zod'

/** What every response body of the service carries (specification, Endpoints: General rules). */
export const envelope = z.object({
  success: z.boolean(),
  error: z.string().nullable(),
  message: z.string().nullable(),
})

/** The envelope as a client accepts it: a service may leave out everything but the message. */
export const lenientEnvelope = z.object({
  success: z.boolean().nullish(),
  error: z.string().nullish(),
  message: z.string().nullish(),
})

export type Envelope = z.infer<typeof envelope>

export const succeeded = { success: true, error: null, message: null } as const satisfies Envelope
