import { array, assert, constantFrom, nat, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { reachability } from '#contract/machines'
import { states } from '#contract/terms'
import { Lockers, type ModelShipment, operationNames, type Step } from '../../support/machines/lockers.ts'
import { seeded } from '../../support/seed.ts'

const runs = 2_000
const steps = 40

const anySteps = array(record({ operation: constantFrom(...operationNames), which: nat() }), {
  maxLength: steps,
  size: 'max',
})

type Invariant = (step: Step) => boolean

const findPrior = ({ prior }: ModelShipment, shipments: Step['after']) =>
  prior === null ? undefined : shipments.get(prior.uid)
const ended = ({ state }: ModelShipment) => states[state].final
/** True if the step moved the shipment from one of the first states to one of the second. */
const went = ({ before, after }: Step, uid: string, from: readonly string[], to: readonly string[]) =>
  from.includes(before.get(uid)?.state ?? '') && to.includes(after.get(uid)?.state ?? '')

/** Invariants that hold after every step. */
const invariants: Record<string, Invariant> = {
  'no locker holds two items': ({ after }) => {
    const full = [...after.values()].filter(({ state, collectOnly }) => states[state].holdsItem && !collectOnly)
    return new Set(full.map(({ locker }) => locker)).size === full.length
  },
  'no shipment waits for one that has ended': ({ after }) =>
    [...after.values()].every(shipment => {
      const prior = findPrior(shipment, after)
      return shipment.state !== 'WaitForPriorShipment' || (prior !== undefined && !ended(prior))
    }),
  'a swap can be dropped off exactly while the swapped item is in the locker': ({ after }) =>
    [...after.values()]
      .filter(shipment => shipment.prior?.link === 'swap' && !states[shipment.state].holdsItem && !ended(shipment))
      .every(
        shipment => (shipment.state === 'ReadyForDropOff') === (findPrior(shipment, after)?.state === 'ReadyForPickup'),
      ),
  'a swap is dropped off exactly with the pick up of the swapped shipment': step =>
    [...step.before.values()]
      .filter(({ prior, state }) => prior?.link === 'swap' && !states[state].final && !states[state].holdsItem)
      .every(({ uid, prior }) => {
        const dropped = went(step, uid, ['ReadyForDropOff'], ['WaitForReceiver', 'ReadyForPickup'])
        return dropped === went(step, prior?.uid ?? '', ['ReadyForPickup'], ['Completed'])
      }),
  'the codes of a swap are equal while both shipments are active': ({ after }) =>
    [...after.values()]
      .filter(shipment => shipment.prior?.link === 'swap')
      .every(({ codes, prior: link }) => {
        const prior = after.get(link?.uid ?? '')
        return codes === null || prior?.codes == null || codes.delivery === prior.codes.pickUp
      }),
  'a shipment changes at most once in a step': ({ changes }) =>
    new Set(changes.map(({ uid }) => uid)).size === changes.length,
  'every change leads to a reachable state': ({ before, after }) =>
    [...before.values()].every(({ uid, state }) => {
      const now = after.get(uid)?.state
      return now === state || (now !== undefined && reachability()[state].includes(now))
    }),
  'an ended shipment never changes': ({ before, after }) =>
    [...before.values()].filter(ended).every(shipment => after.get(shipment.uid) === shipment),
  'a follower changes after its prior shipment': ({ after, changes }) => {
    const order = changes.map(({ uid }) => uid)
    return order.every((uid, at) => {
      const prior = order.indexOf(after.get(uid)?.prior?.uid ?? '')
      return prior < at
    })
  },
  'a step changes shipments of one locker only': ({ after, changes }) =>
    new Set(changes.map(({ uid }) => after.get(uid)?.locker)).size <= 1,
}

test('linked shipments satisfy every invariant after any sequence of operations', () => {
  const done = new Set<string>()
  assert(
    property(anySteps, planned => {
      const lockers = new Lockers()
      for (const { operation, which } of planned) {
        const step = lockers.step(operation, chosen(lockers.shipments, which))
        if (step.changes.length > 0 || step.after.size > step.before.size) done.add(operation)
        for (const [name, holds] of Object.entries(invariants)) expect(holds(step), `${operation}: ${name}`).toBe(true)
      }
    }),
    seeded(runs),
  )
  // An operation that is always refused would prove nothing.
  expect([...done].sort()).toEqual([...operationNames].sort())
})

test('the common code of a swap has the same effect for both shipments', () => {
  let pairs = 0
  assert(
    property(anySteps, planned => {
      const lockers = new Lockers()
      for (const { operation, which } of planned) lockers.step(operation, chosen(lockers.shipments, which))
      for (const { uid, prior, state } of lockers.shipments) {
        if (prior?.link !== 'swap' || state !== 'ReadyForDropOff') continue
        pairs++
        expect(lockers.preview(uid, { type: 'dropOff' })).toEqual(lockers.preview(prior.uid, { type: 'pickUp' }))
      }
    }),
    seeded(runs),
  )
  expect(pairs).toBeGreaterThan(0)
})

/** Mostly picks an active shipment, because the number of ended ones only grows. */
function chosen(shipments: readonly ModelShipment[], which: number): string {
  const active = shipments.filter(shipment => !ended(shipment))
  const from = which % 4 === 0 || active.length === 0 ? shipments : active
  return from[Math.floor(which / 4) % from.length]?.uid ?? ''
}
