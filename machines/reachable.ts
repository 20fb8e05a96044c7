import { type StateCode, stateCodes } from '#contract/terms'
import { apply, type HeldShipment } from './apply.ts'
import type { ShipmentEvent, ShipmentFacts } from './shipment.ts'

/** For each state the states that can come after it over any number of steps, as plain data. */
export type Reachability = Readonly<Record<StateCode, readonly StateCode[]>>

const events: readonly ShipmentEvent[] = [
  { type: 'dropOff' },
  { type: 'pickUp' },
  { type: 'setReceiver' },
  { type: 'removeReceiver' },
  { type: 'issueFromStock' },
  { type: 'turnComes', link: 'swap' },
  { type: 'turnComes', link: 'subsequent' },
  { type: 'turnComes', link: 'circular' },
  { type: 'cancel' },
]

/**
 * The states that can come after each state, whatever the facts: a flow hears of states and not of events,
 * so this is the question that it asks the machine.
 */
export function reachability(): Reachability {
  // A fifth of a second of work, which the service never asks for.
  known ??= Object.fromEntries(stateCodes.map(from => [from, reachableFrom(from)])) as unknown as Reachability
  return known
}

let known: Reachability | undefined

function reachableFrom(from: StateCode): readonly StateCode[] {
  const after = statesAfter(from)
  return stateCodes.filter(to => to !== from && after.has(to))
}

function statesAfter(from: StateCode): ReadonlySet<StateCode> {
  const seen = new Map<string, HeldShipment>()
  const queue: HeldShipment[] = everyFacts().map(facts => ({ state: from, facts }))
  for (let held = queue.pop(); held !== undefined; held = queue.pop()) {
    for (const event of events) {
      const applied = apply(held, event)
      const key = applied.accepted ? JSON.stringify(applied.next) : undefined
      if (!applied.accepted || key === undefined || seen.has(key)) continue
      seen.set(key, applied.next)
      queue.push(applied.next)
    }
  }
  return new Set([...seen.values()].map(({ state }) => state))
}

function everyFacts(): ShipmentFacts[] {
  const choice = [false, true]
  return choice.flatMap(receiver =>
    choice.flatMap(kept => choice.flatMap(stock => choice.map(passesOn => ({ receiver, kept, stock, passesOn })))),
  )
}
