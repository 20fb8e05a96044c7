import fc from 'fast-check'
import { holdsItem, isFinalState } from '#contract/terms'
import type { FlowDeclaration } from '#flows/declaration'
import type { Delivery, Simulation, SimulationOptions } from '#testing/simulator'
import { edgesOf, effectsOf, play } from './blockFlows.ts'

/** The events around a flow: by people, the service and the network, and its cancellation. */
export interface Life {
  readonly choices: readonly number[]
  readonly cancelAt: number
  readonly hasFlag: boolean
  /** How long each work takes: nothing, or less or more than it may. */
  readonly takes: '20s' | '10m' | undefined
}

export const randomLives: fc.Arbitrary<Life> = fc.record({
  choices: fc.array(fc.nat(2_000), { minLength: 30, maxLength: 30 }),
  cancelAt: fc.integer({ min: 0, max: 40 }),
  hasFlag: fc.boolean(),
  takes: fc.constantFrom(undefined, '20s', '20s', '10m'),
})

/** Callbacks arrive in any order, some of them together. */
export function deliverBy(choices: readonly number[]): Delivery {
  let next = 0
  const choose = (count: number) => (choices[next++ % choices.length] ?? 0) % count
  return arrived => {
    const first = choose(arrived.length)
    return choose(3) === 0 ? arrived.map((_, index) => index) : [first]
  }
}

export interface Lived {
  readonly effects: readonly string[]
  readonly edges: readonly string[]
  readonly outcome: string | undefined
  readonly code: string | undefined
  /** The number of effects before the flow was cancelled from outside. */
  readonly beforeCancel: number | undefined
  /** Shipments that the service still has open, but those with an item that a left-over names. */
  readonly forgotten: readonly string[]
  readonly hangs: boolean
}

/** Rounds after which a flow has ended, if people do at once whatever they can. */
const patience = 150

/** Lives a life with a flow, and then helps it to its end. */
export async function live(
  flow: FlowDeclaration,
  { choices, cancelAt, hasFlag, takes }: Life,
  options: Pick<SimulationOptions, 'suggestedAt' | 'replaysEachTask' | 'delivery'> = {},
): Promise<Lived> {
  const parts = ['A', 'B', 'C'].map(sku => ({ sku }))
  const request = { parts, PupUid: { $pup: 1 }, ToUserUid: { $user: 1 }, ...(hasFlag && { flag: 'yes' }) }
  const simulation = await play(flow, { request, ...(takes && { takes }), ...options })
  try {
    let beforeCancel: number | undefined
    for (const [index, choice] of choices.entries()) {
      if (simulation.hasEnded) break
      if (index === cancelAt) {
        beforeCancel = effectsOf(simulation).length
        await simulation.apply({ cancel: 'test' })
      }
      await act(simulation, choice)
    }
    await simulation.apply({ recover: 'CreateLocalShipmentAsIssue' })
    let rounds = 0
    while (!simulation.hasEnded && rounds++ < patience) await help(simulation)
    const hangs = !simulation.hasEnded
    if (hangs) await simulation.apply({ cancel: 'the end of the test' })
    for (let jumps = 0; !simulation.hasEnded && jumps < patience; jumps++) await simulation.jump()
    const { outcome, code, leftOver } = simulation.run()
    const left = leftOver.map(({ shipmentUid }) => shipmentUid)
    const { items } = await simulation.call('GetShipments', { activeShipments: true })
    // A flow may complete while an item waits for its receiver, as the check allows it.
    const isOpen = (state: string) => !isFinalState(state) && !(outcome === 'completed' && holdsItem(state))
    const open = items.filter(({ stateCode }) => isOpen(stateCode))
    // The only items of a flow are those that people have brought.
    const forgotten = open.flatMap(({ shipmentUid, stateCode }) =>
      left.includes(shipmentUid) && holdsItem(stateCode) ? [] : [`${shipmentUid} ${stateCode}`],
    )
    return { effects: effectsOf(simulation), edges: edgesOf(simulation), outcome, code, beforeCancel, forgotten, hangs }
  } finally {
    await simulation.close()
  }
}

function openIn(simulation: Simulation) {
  const { lines = [], asks, shipments, overdue } = simulation.status()
  const asked = [...lines.flatMap(line => (line.asks ? [line.asks.step] : [])), ...(asks ? [asks.step] : [])]
  const late = lines.filter(line => line.overdue).map(({ step }) => step)
  const rolesIn = (state: string) => shipments.flatMap(({ role, stateCode }) => (stateCode === state ? [role] : []))
  // Doors lock after many wrong codes.
  const [empty, full] = [rolesIn('ReadyForDropOff'), rolesIn('ReadyForPickup')]
  return { asked, late, isLate: overdue, roles: shipments.map(({ role }) => role), empty, full }
}

/** One thing that happens. Most are refused if they are impossible then. */
async function act(simulation: Simulation, choice: number): Promise<void> {
  const { asked, late, isLate, roles, empty, full } = openIn(simulation)
  const which = Math.floor(choice / 20)
  const pick = <Each>(all: readonly Each[]) => all[which % Math.max(1, all.length)]
  const step = pick(asked)
  const [role, put, taken] = [roles, empty, full].map(pick)
  const kind = choice % 20
  if (kind < 5 && step !== undefined) await simulation.apply({ answer: pick(['yes', 'no']) ?? 'yes', step })
  else if (kind < 8 && put !== undefined) await simulation.apply({ dropOff: put })
  else if (kind < 11 && taken !== undefined) await simulation.apply({ pickUp: taken })
  else if (kind === 11 && role !== undefined) await simulation.apply({ cancelShipment: role })
  else if (kind === 12 && role !== undefined) await simulation.apply({ loseCallbacks: role })
  else if (kind === 13 && role !== undefined) await simulation.apply({ deliverCallbacks: role })
  else if (kind === 14) {
    const book = 'CreateLocalShipmentAsIssue'
    const cause = pick([{ code: 'NoLockerAvailable' }, { fault: 'responseLost' }, { fault: 'requestLost' }] as const)
    await simulation.apply({ fail: { book, times: 1, ...(cause ?? { fault: 'unavailable' }) } })
  } else if (kind === 15 && isLate) {
    const decision = pick(['extend', 'keepWaiting', 'cancel'] as const) ?? 'cancel'
    const line = late[which % Math.max(1, late.length)]
    const by = decision === 'extend' && { by: '3h' as const }
    await simulation.apply({ decide: decision, ...by, ...(line !== undefined && { step: line }) })
  } else if (kind === 16) await simulation.apply({ loseWorker: true })
  else if (kind > 16) await simulation.advance((1 + (which % 7)) * 5_000)
  else await simulation.advance((1 + (which % 7)) * 3_600_000)
}

/** Everybody does what they can, and time passes. */
async function help(simulation: Simulation): Promise<void> {
  const { asked, late, isLate } = openIn(simulation)
  for (const step of asked) await simulation.apply({ answer: 'yes', step })
  if (isLate) {
    for (const step of late.length > 0 ? late : [undefined]) {
      await simulation.apply({ decide: 'keepWaiting', ...(step !== undefined && { step }) })
    }
  }
  for (const role of openIn(simulation).empty) await simulation.apply({ dropOff: role })
  for (const role of openIn(simulation).full) await simulation.apply({ pickUp: role })
  await simulation.advance(3_600_000)
}
