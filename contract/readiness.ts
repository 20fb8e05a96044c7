import { z } from 'zod'

/** A part that a process needs before it is ready. `/health/ready` lists those that are missing. */
export interface ReadinessCheck {
  readonly processes: readonly ('service' | 'gateway' | 'worker' | 'codec')[]
  readonly meaning: string
  /** The process does the rest of its work without the part, so it stays ready. */
  readonly staysReady?: true
}

/** Every name that `/health/ready` can list. */
export const readinessChecks = {
  running: { processes: ['service', 'gateway', 'worker'], meaning: 'The process is starting or stopping.' },
  store: {
    processes: ['service'],
    meaning:
      'The store does not answer a read within two seconds, or accepts no writes: it is read-only, or writes to its disk failed in the last 30 seconds. Or the file of an embedded store was moved, replaced or deleted.',
  },
  migration: { processes: ['service'], meaning: 'Migrations of this version have not run.' },
  signingKey: { processes: ['service'], meaning: 'The key that signs tokens was revoked.' },
  hardware: {
    processes: ['service'],
    meaning:
      'An adapter of locker hardware returned no valid response to the last request, or to a check that runs at most every ten seconds. Its doors do not open.',
    staysReady: true,
  },
  temporal: { processes: ['gateway', 'worker'], meaning: 'Temporal cannot be reached, or does not respond.' },
  namespace: { processes: ['gateway', 'worker'], meaning: 'Temporal does not have the namespace.' },
  permission: { processes: ['gateway'], meaning: 'Temporal denies access.' },
  searchAttributes: { processes: ['worker'], meaning: 'Search attributes of the flows are not registered.' },
  build: { processes: ['worker'], meaning: "The worker's deployment has no current build." },
  keyStore: {
    processes: ['codec'],
    meaning: 'The store of the keys of persons does not answer a read within two seconds.',
  },
  registration: { processes: ['gateway'], meaning: 'The service has not accepted the callback address yet.' },
} as const satisfies Readonly<Record<string, ReadinessCheck>>

export type ReadinessName = keyof typeof readinessChecks

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
  const checks: Readonly<Record<ReadinessName, ReadinessCheck>> = readinessChecks
  return { ready: missing.every(({ name }) => checks[name].staysReady === true), missing }
}
