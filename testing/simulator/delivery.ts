import type { Arrival, Job } from './server.ts'

/** An event that has arrived and is not delivered yet. Callbacks of one change have the same batch. */
export interface Delivered {
  readonly arrival: Arrival
  readonly batch: number
}

/**
 * Chooses the events of the flow's next workflow task, by indexes in their order; none: the flow waits. In production, chance
 * decides whether a callback overtakes another event and which events share a task.
 */
export type Delivery = (arrived: readonly Delivered[]) => readonly number[]

/** Delivers in the order of arrival, and the callbacks of one change in one task. */
export const inOrder: Delivery = arrived => {
  const [first] = arrived
  return arrived.flatMap(({ batch }, index) => (batch === first?.batch ? [index] : []))
}

/** The jobs that have arrived for a flow. */
export class Mailbox {
  readonly #delivery: Delivery
  #arrived: { readonly job: Job; readonly arrival: Arrival; readonly batch: number }[] = []
  #batches = 0

  constructor(delivery: Delivery) {
    this.#delivery = delivery
  }

  add(jobs: readonly Job[]): void {
    const batch = this.#batches++
    this.#arrived.push(...jobs.map(job => ({ job, arrival: job.arrival, batch })))
  }

  /** Takes the jobs of the next task. */
  take(): readonly Job[] {
    if (this.#arrived.length === 0) return []
    const indexes = this.#delivery(this.#arrived)
    const taken = indexes.flatMap(index => this.#arrived[index]?.job ?? [])
    this.#arrived = this.#arrived.filter((_, index) => !indexes.includes(index))
    return taken
  }
}
