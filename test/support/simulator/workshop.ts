import { expect } from 'vitest'
import type { RunResult, SimulatedStart, Simulation, StoryEvent } from '#testing/simulator'
import { workshop } from '../flows/workshop.ts'
import { tell } from './journeys.ts'
import { type SimulatedTest, useSimulations } from './useSimulations.ts'

/** The results of the activities of the workshop. */
export const workshopRuns = {
  printLabel: { returns: { labelNo: 'L-1', secret: 'not kept' } },
  voidLabel: { returns: {} },
  repair: { returns: { report: 'repaired' } },
} as const satisfies Readonly<Record<string, RunResult>>

/** Days of work, which report heartbeats. */
export const repairForDays = { ...workshopRuns, repair: { ...workshopRuns.repair, takes: '4d' } } as const

export const agree = { answer: 'agree', step: 'offer', fields: { cents: 4_900 } } as const satisfies StoryEvent
export const decline = { answer: 'decline', step: 'offer' } as const satisfies StoryEvent
export const bringIn: StoryEvent = { dropOff: 'device' }
export const putBack: StoryEvent = { dropOff: 'back' }

interface Workshop extends SimulatedTest {
  readonly windows?: SimulatedStart['windows']
  /** Events after the start. */
  readonly events?: readonly StoryEvent[]
}

/** Returns a function that starts the workshop in a simulation. */
export function useSimulatedWorkshop() {
  const start = useSimulations({ flows: { workshop }, runs: workshopRuns })
  return async ({ windows = {}, events = [], ...options }: Workshop = {}): Promise<Simulation> => {
    const request = { pickUpPointUid: 'pup-1', customerUid: { $user: 1 } }
    const simulation = await start({ flow: 'workshop', request, windows, waits: false }, options)
    await tell(simulation, events)
    return simulation
  }
}

/** The sentence for a person about the repair. */
export const unpaid = { step: 'repair', shipmentUid: null, reason: 'The device is repaired and not paid.' }

/** Lets the device cool down, and puts it back. */
export async function finish(simulation: Simulation): Promise<void> {
  await tell(simulation, [{ after: '1s' }, putBack])
  expect(simulation.run().outcome).toBe('completed')
}
