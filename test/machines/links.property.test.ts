import { array, assert, constantFrom, nat, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { states } from '#contract/terms'
import { reachability } from '#machines'
import { seeded } from '../setup/seed.ts'
import { type Held, Lockers, operationNames, type Step } from './lockers.ts'

const runs = 2_000
const steps = 40

const anySteps = array(record({ operation: constantFrom(...operationNames), which: nat() }), {
  maxLength: steps,
  size: 'max',
})

type Invariant = (step: Step) => boolean

const priorOf = ({ after }: Held, shipments: Step['after']) => (after === null ? undefined : shipments.get(after.uid))
const ended = ({ state }: Held) => states[state].final
/** Whether a step took a shipment from one of these states to one of those. */
const went = ({ before, after }: Step, uid: string, from: readonly string[], to: readonly string[]) =>
  from.includes(before.get(uid)?.state ?? '') && to.includes(after.get(uid)?.state ?? '')

/** What holds after every step, whatever was done before. */
const invariants: Record<string, Invariant> = {
  'no locker holds two items': ({ after }) => {
    const full = [...after.values()].filter(({ state, collectOnly }) => states[state].holdsItem && !collectOnly)
    return new Set(full.map(({ locker }) => locker)).size === full.length
  },
  'nobody waits for one that has ended': ({ after }) =>
    [...after.values()].every(held => {
      const prior = priorOf(held, after)
      return held.state !== 'WaitForPriorShipment' || (prior !== undefined && !ended(prior))
    }),
  "a swap can be dropped off exactly while the swapped one's item is there": ({ after }) =>
    [...after.values()]
      .filter(held => held.after?.link === 'swap' && !states[held.state].holdsItem && !ended(held))
      .every(held => (held.state === 'ReadyForDropOff') === (priorOf(held, after)?.state === 'ReadyForPickup')),
  'a swap is dropped off with the pick up of the swapped one, and never else': step =>
    [...step.before.values()]
      .filter(({ after, state }) => after?.link === 'swap' && !states[state].final && !states[state].holdsItem)
      .every(({ uid, after }) => {
        const dropped = went(step, uid, ['ReadyForDropOff'], ['WaitForReceiver', 'ReadyForPickup'])
        return dropped === went(step, after?.uid ?? '', ['ReadyForPickup'], ['Completed'])
      }),
  'the codes of a swap are equal while both live': ({ after }) =>
    [...after.values()]
      .filter(held => held.after?.link === 'swap')
      .every(({ codes, after: link }) => {
        const prior = after.get(link?.uid ?? '')
        return codes === null || prior?.codes == null || codes.delivery === prior.codes.pickUp
      }),
  'a shipment changes at most once in a step': ({ changes }) =>
    new Set(changes.map(({ uid }) => uid)).size === changes.length,
  'no change contradicts what is reachable': ({ before, after }) =>
    [...before.values()].every(({ uid, state }) => {
      const now = after.get(uid)?.state
      return now === state || (now !== undefined && reachability()[state].includes(now))
    }),
  'what has ended never changes': ({ before, after }) =>
    [...before.values()].filter(ended).every(held => after.get(held.uid) === held),
  'what comes after another changes after it': ({ after, changes }) => {
    const order = changes.map(({ uid }) => uid)
    return order.every((uid, at) => {
      const prior = order.indexOf(after.get(uid)?.after?.uid ?? '')
      return prior < at
    })
  },
  'one locker is no concern of another': ({ after, changes }) =>
    new Set(changes.map(({ uid }) => after.get(uid)?.locker)).size <= 1,
}

test('linked shipments keep to the rules, whatever is made and whatever happens', () => {
  const done = new Set<string>()
  assert(
    property(anySteps, todo => {
      const lockers = new Lockers()
      for (const { operation, which } of todo) {
        const step = lockers.step(operation, chosen(lockers.shipments, which))
        if (step.changes.length > 0 || step.after.size > step.before.size) done.add(operation)
        for (const [name, holds] of Object.entries(invariants)) expect(holds(step), `${operation}: ${name}`).toBe(true)
      }
    }),
    seeded(runs),
  )
  // Or an operation that is always refused would prove nothing.
  expect([...done].sort()).toEqual([...operationNames].sort())
})

test('one code opens both of a swap: either access does the same', () => {
  let pairs = 0
  assert(
    property(anySteps, todo => {
      const lockers = new Lockers()
      for (const { operation, which } of todo) lockers.step(operation, chosen(lockers.shipments, which))
      for (const { uid, after, state } of lockers.shipments) {
        if (after?.link !== 'swap' || state !== 'ReadyForDropOff') continue
        pairs++
        expect(lockers.happened(uid, { type: 'dropOff' })).toEqual(lockers.happened(after.uid, { type: 'pickUp' }))
      }
    }),
    seeded(runs),
  )
  expect(pairs).toBeGreaterThan(0)
})

/** Mostly one that is still active, since the ended ones only grow in number. */
function chosen(shipments: readonly Held[], which: number): string {
  const active = shipments.filter(held => !ended(held))
  const from = which % 4 === 0 || active.length === 0 ? shipments : active
  return from[Math.floor(which / 4) % from.length]?.uid ?? ''
}
