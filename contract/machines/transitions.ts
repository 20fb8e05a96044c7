import { transition } from 'xstate'
import { toDirectedGraph } from 'xstate/graph'
import { type StateCode, stateCodes } from '#contract/terms'
import { type ShipmentContext, type ShipmentEvent, shipmentMachine } from './shipment.ts'

/** One shipment as the machine sees it. */
export interface MachineSnapshot {
  readonly state: StateCode
  readonly context: ShipmentContext
}

export type ApplyResult = { readonly accepted: true; readonly next: MachineSnapshot } | { readonly accepted: false }

/** One transition of the machine. `event` is the type of a `ShipmentEvent`, `guard` a name in the machine's setup. */
export interface ShipmentTransition {
  readonly from: StateCode
  readonly event: string
  readonly guard: string | undefined
  readonly to: StateCode
  readonly description: string
}

/** For each state the states that can follow it over any number of steps, as plain data. */
export type Reachability = Readonly<Record<StateCode, readonly StateCode[]>>

/** The results of the machine: there are few states, contexts and events, and the machine takes long for each. */
const results = new Map<string, ApplyResult>()

/** Applies an event to one shipment. Pure; `accepted` is false if the state or the context does not allow the event. */
export function apply(snapshot: MachineSnapshot, event: ShipmentEvent): ApplyResult {
  const { receiver, keepBooked, stock, feedsStock } = snapshot.context
  const key = [snapshot.state, receiver, keepBooked, stock, feedsStock, ...Object.values(event)].join()
  const result = results.get(key) ?? compute(snapshot, event)
  results.set(key, result)
  return result
}

function compute(snapshot: MachineSnapshot, event: ShipmentEvent): ApplyResult {
  const resolved = shipmentMachine.resolveState({ value: snapshot.state, context: snapshot.context })
  // `transition` returns the same snapshot for a forbidden event, without an error.
  if (!resolved.can(event)) return { accepted: false }
  const [next] = transition(shipmentMachine, resolved, event)
  return { accepted: true, next: { state: next.value as StateCode, context: next.context } }
}

/** Every transition of the machine: by state and event, and then in the order in which its guards are tried. */
export function shipmentTransitions(): readonly ShipmentTransition[] {
  return toDirectedGraph(shipmentMachine).children.flatMap(({ stateNode, edges }) =>
    edges.map(({ label, target, transition: { guard, description = '' } }) => ({
      from: stateNode.key as StateCode,
      event: label.text,
      guard: typeof guard === 'string' ? guard : undefined,
      to: target.key as StateCode,
      description,
    })),
  )
}

let reachable: Reachability | undefined

/**
 * The states that can follow each state, in the order of `stateCodes`. Guards count as open, because a flow reads
 * states from callbacks and knows neither the context nor the event.
 */
export function reachability(): Reachability {
  // Each plan has it, and the machine does not change.
  reachable ??= findReachable()
  return reachable
}

function findReachable(): Reachability {
  const transitions = shipmentTransitions()
  const table = stateCodes.map(from => {
    const after = statesAfter(from, transitions)
    return [from, stateCodes.filter(to => to !== from && after.has(to))] as const
  })
  return Object.fromEntries(table) as Record<StateCode, StateCode[]>
}

function statesAfter(start: StateCode, transitions: readonly ShipmentTransition[]): ReadonlySet<StateCode> {
  const seen = new Set([start])
  // The iterator of a set also visits members that the loop adds.
  for (const state of seen) {
    for (const { from, to } of transitions) if (from === state) seen.add(to)
  }
  return seen
}
