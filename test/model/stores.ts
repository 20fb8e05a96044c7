import { inject } from 'vitest'
import { type NewStore, newStore } from '../support/service/temporaryStore.ts'

/** A store on which the service is compared with the model. */
export interface TestedStore {
  readonly name: string
  /** Creates an empty store, which the caller removes. */
  open(): Promise<NewStore>
  /** The number of sequences of steps, each on a new store. */
  readonly sequences: number
  /** The number of services on the store in the parallel test. */
  readonly services: number
}

/** The store of this test project. PostgreSQL gets fewer steps, because each takes longer. */
export const stores: readonly TestedStore[] = [
  inject('postgres') === undefined
    ? { name: 'embedded', open: newStore, sequences: 18, services: 1 }
    : { name: 'PostgreSQL', open: newStore, sequences: 6, services: 3 },
]
