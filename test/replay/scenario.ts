import type { World } from '../flows/world.ts'

/** A run whose history is to be kept; the newest one when no run is named. */
export interface Lived {
  readonly workflowId: string
  readonly runId?: string
}

/**
 * Something that a flow can live through; each is recorded once in test/histories, under its name. Of more than one
 * run the second is under `<name>-2`, and so on.
 */
export interface Scenario {
  readonly name: string
  /** How many runs it answers; one when left out. */
  readonly runs?: number
  /** Events after which Temporal suggests a new run; its own 4,096 when left out. */
  readonly suggestedAt?: number
  /** Plays it in a world and answers the case whose history is to be kept, or the runs, the oldest first. */
  play(world: World): Promise<string | readonly Lived[]>
}

/** What the histories of a scenario are called. */
export function namesOf({ name, runs = 1 }: Scenario): string[] {
  return Array.from({ length: runs }, (_, index) => (index === 0 ? name : `${name}-${index + 1}`))
}
