import type { Simulation } from '#testing/simulator'
import { type Delivery, inOrder } from '../../../testing/simulator/delivery.ts'

/** The results of activities, which a test can hold back, as if their responses were on their way. */
export interface HeldResults {
  readonly delivery: Delivery
  /** Holds the results of an activity back from now on. */
  hold(activity: string): void
  /** Delivers what was held back. */
  deliver(simulation: Simulation): Promise<void>
}

export function holdResults(): HeldResults {
  let held: string | undefined
  return {
    delivery(arrived) {
      const free = [...arrived.entries()].filter(
        ([, { arrival }]) => !(arrival.kind === 'activity' && arrival.name === held),
      )
      const taken = inOrder(free.map(([, each]) => each))
      return taken.flatMap(index => free[index]?.[0] ?? [])
    },
    hold(activity) {
      held = activity
    },
    async deliver(simulation) {
      held = undefined
      await simulation.apply({ after: '1ms' })
    },
  }
}
