import type { Target } from '../dispatcher.ts'

/** A started system under attack, which one row has for itself, so that no row works on what the one before has left. */
export interface Site {
  readonly target: Target
  /** The process that serves the measured tenant. */
  readonly pid: number
  /** A call of the measured tenant. @throws Error if it is refused */
  call(): Promise<unknown>
  /** Does now what would otherwise be done in a phase: work of the store, and of the operating system for its files. */
  settle(): Promise<void>
  stop(): Promise<void>
}
