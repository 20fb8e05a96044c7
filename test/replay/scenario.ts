import type { World } from '../support/world/flowWorld.ts'

/** A run to record; the newest one without a run id. */
export interface RecordedRun {
  readonly workflowId: string
  readonly runId?: string
}

/**
 * A sequence of events of one flow, recorded once in test/histories under its name. A second run is `<name>-2`, and so
 * on.
 */
export interface Scenario {
  readonly name: string
  /** The number of runs that it returns; one by default. */
  readonly runs?: number
  /** Events after which Temporal suggests continue-as-new; Temporal's 4,096 by default. */
  readonly suggestedAt?: number
  /** Plays it in a world. Returns the case to record, or its runs, oldest first. */
  play(world: World): Promise<string | readonly RecordedRun[]>
}

/** The names of a scenario's histories. */
export function historyNames({ name, runs = 1 }: Scenario): string[] {
  return Array.from({ length: runs }, (_, index) => (index === 0 ? name : `${name}-${index + 1}`))
}
