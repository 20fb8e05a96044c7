import { z } from 'zod'

/** The names of the parts that `/health/ready` can list. */
export type ReadinessName =
  | 'running'
  | 'store'
  | 'migration'
  | 'signingKey'
  | 'hardware'
  | 'temporal'
  | 'namespace'
  | 'permission'
  | 'searchAttributes'
  | 'build'
  | 'registration'

/** A part that is missing. The reason contains no secret. */
export interface Missing {
  readonly name: ReadinessName
  readonly reason: string
}

/** The fields that the body of `/health/ready` has in every process. */
export const readiness = z.object({
  ready: z.boolean(),
  missing: z.array(z.object({ name: z.string(), reason: z.string() }).meta({ id: 'MissingPart' })),
})

/** The body for a list of missing parts. A process is ready without those that it can do without. */
export function toReadiness(missing: readonly Missing[]) {
  // Doors do not open without their adapter, and the service does the rest of its work.
  return { ready: missing.every(({ name }) => name === 'hardware'), missing }
}
