import { inject } from 'vitest'
import { type NewStore, newStore } from '../service/temporaryStore.ts'

/** A store that the model is held against. */
export interface TestedStore {
  readonly name: string
  /** An empty one, for whoever removes it. */
  open(): Promise<NewStore>
  /** Sequences of steps, each on a store of its own. */
  readonly sequences: number
  /** How many services share the store when clients are parallel. */
  readonly services: number
}

/** That of this run of the tests: thousands of steps on the embedded one, fewer where each takes longer. */
export const stores: readonly TestedStore[] = [
  inject('postgres') === undefined
    ? { name: 'embedded', open: newStore, sequences: 18, services: 1 }
    : { name: 'PostgreSQL', open: newStore, sequences: 6, services: 3 },
]
