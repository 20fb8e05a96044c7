import { afterAll, expect, onTestFinished } from 'vitest'
import {
  closeWorlds,
  type FailingWork,
  openSimulation,
  type SimulatedStart,
  type Simulation,
  type SimulationOptions,
} from '#testing/simulator'
import { expectLockersConsistent } from '../world/invariants.ts'
import { foreignUid } from './recordedDelivery.ts'

export interface SimulatedTest extends SimulationOptions {
  /** Faults from the start. */
  readonly faults?: readonly FailingWork[]
  /** Changes at the service before the flow. */
  prepare?(simulation: Simulation): Promise<unknown>
}

/** More timers than a flow of these tests starts at its end. */
const maxJumps = 1_000

/** More callbacks than make a flow of these tests long. */
const maxSent = 200

/**
 * Returns a function that starts one flow in a simulation, with a worker that replays the flow before each task. At the end of
 * the test it cancels a flow that still runs, and checks that the flow ends and that nothing was lost or booked twice.
 */
export function useSimulations(common: SimulatedTest = {}) {
  afterAll(closeWorlds)
  return async (start: SimulatedStart, own: SimulatedTest = {}): Promise<Simulation> => {
    const { faults = [], prepare, ...options } = { ...common, ...own }
    const simulation = await openSimulation({ replaysEachTask: true, ...options })
    onTestFinished(() => end(simulation))
    for (const fail of faults) simulation.prepare({ fail })
    await prepare?.(simulation)
    await simulation.start(start)
    return simulation
  }
}

/** Lets timers fire until the flow has ended. */
export async function untilEnd(simulation: Simulation): Promise<void> {
  for (let jumps = 0; !simulation.hasEnded && jumps < maxJumps; jumps++) await simulation.jump()
  expect(simulation.hasEnded).toBe(true)
}

/** Sends foreign callbacks until the flow continues as new, which its simulation suggests after the events of `suggestedAt`. */
export async function untilNextRun(simulation: Simulation): Promise<void> {
  const isNew = () => simulation.run().timeLine.some(({ kind }) => kind === 'continuedAsNew')
  const foreign = { shipmentUid: foreignUid, stateCode: 'Completed', stateStart: '' }
  for (let sent = 0; sent < maxSent && !isNew(); sent++) await simulation.signal(foreign)
  expect(isNew()).toBe(true)
}

async function end(simulation: Simulation): Promise<void> {
  try {
    if (!simulation.hasEnded) await simulation.apply({ cancel: 'the end of the test' })
    await untilEnd(simulation)
    await expectLockersConsistent(simulation)
  } finally {
    await simulation.close()
  }
}
