import { inject } from 'vitest'
import { type NewStore, newStore } from '../support/service/temporaryStore.ts'

/** A store on which the service is compared with the model. */
export interface TestedStore {
  readonly name: string
  /** Creates an empty store, which the caller removes. */
  open(): Promise<NewStore>
  /** The number of sequences of steps, each on a new store. */
  readonly sequences: number
  /** The number of crowds of concurrent clients, each on a new store. */
  readonly crowds: number
  /** The number of services on the store in the parallel test. */
  readonly services: number
}

/** `npm run test:all` runs three times as many examples as other runs. */
const times = process.env.LOCKERFLOW_TEST_ALL === 'true' ? 3 : 1

/** The store of this test project. PostgreSQL gets fewer steps, because each takes longer. */
export const stores: readonly TestedStore[] = [
  inject('postgres') === undefined
    ? { name: 'embedded', open: newStore, sequences: 6 * times, crowds: times, services: 1 }
    : { name: 'PostgreSQL', open: newStore, sequences: 2 * times, crowds: times, services: 3 },
]
