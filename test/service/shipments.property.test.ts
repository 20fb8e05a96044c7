import { array, assert, asyncProperty, constantFrom, nat, record, unbiased } from 'fast-check'
import { expect, test } from 'vitest'
import { type OperationName, operations, type ShipmentItem } from '#contract'
import { type StateCode, states } from '#contract/terms'
import { reachability } from '#machines'
import { seeded } from '../setup/seed.ts'
import type { Answer } from './harness.ts'
import { openSite, type Site } from './site.ts'
import { expectSound, stateOf } from './soundness.ts'
import { happenings, makings } from './steps.ts'

const runs = 48
const longest = 60
/** Milliseconds, with the search for a shorter example of a failure. */
const patience = 150_000

const verbs: Readonly<Record<keyof typeof makings | keyof typeof happenings, OperationName>> = {
  ...makings,
  ...happenings,
}
type Verb = keyof typeof verbs
const everyVerb = Object.keys(verbs) as Verb[]

const inState = (state: StateCode) => (shipment: ShipmentItem) => shipment.stateCode === state
const isNobodys = ({ toUserUid }: ShipmentItem) => toUserUid === null
/** Which shipments it makes most sense for: the others are tried too, but mostly refused. */
const apt: Readonly<Partial<Record<Verb, (shipment: ShipmentItem) => boolean>>> = {
  dropOff: inState('ReadyForDropOff'),
  pickUp: inState('ReadyForPickup'),
  'unlock DropOff': inState('ReadyForDropOff'),
  'unlock PickUp': inState('ReadyForPickup'),
  setReceiver: isNobodys,
  removeObject: ({ objects }) => objects.length > 0,
  IssueFromStock: isNobodys,
  IssueFromStockAndSwapIntake: isNobodys,
  IssueFromStockAndSubsequentIntakeAndCircularStock: isNobodys,
}
const anySteps = array(record({ verb: constantFrom(...everyVerb), which: nat() }), { maxLength: longest, size: 'max' })

type Shipments = readonly ShipmentItem[]
const ended = ({ stateCode }: ShipmentItem) => states[stateOf(stateCode)].final
const byUid = (shipments: Shipments) => new Map(shipments.map(shipment => [shipment.shipmentUid, shipment]))

test('four lockers, and whatever is asked for', { timeout: patience + 30_000 }, async () => {
  const done = new Set<Verb>()
  await assert(
    asyncProperty(anySteps, async todo => {
      const site = await openSite()
      try {
        let shipments: Shipments = []
        const announced: string[] = []
        for (const { verb, which } of todo) {
          const answer = await site.take(`${verb} ${chosen(verb, site, shipments, which)}`)
          const now = await expectSound(site.world)
          expectAnswer(verb, answer, shipments, now)
          expectChanges(shipments, now)
          announced.push(...newsOf(site, shipments, now))
          shipments = now
          if (answer.body.success) done.add(verb)
        }
        expect(await site.announced()).toEqual(announced)
      } finally {
        await site.stop()
      }
    }),
    { ...seeded(runs), plugins: [unbiased()], interruptAfterTimeLimit: patience },
  )
  // Or an operation that is always refused would prove nothing.
  expect([...done].sort()).toEqual([...everyVerb].sort())
})

/** A refusal is one that the operation declares, and changes nothing. */
function expectAnswer(verb: Verb, { body }: Answer, before: Shipments, after: Shipments): void {
  if (body.success) return
  expect(operations[verbs[verb]].errors).toContain(body.error)
  expect(after).toEqual(before)
}

/** What has ended is as it was, a state comes after the one before, and a swap happens at once or not at all. */
function expectChanges(before: Shipments, after: Shipments): void {
  const now = byUid(after)
  for (const was of before) {
    const is = now.get(was.shipmentUid)
    if (ended(was)) expect(is).toEqual(was)
    if (is?.stateCode === was.stateCode) {
      expect(is.stateStart).toBe(was.stateStart)
      continue
    }
    expect(reachability[stateOf(was.stateCode)]).toContain(is?.stateCode)
  }
  for (const swap of before) {
    const { shipmentUid, swapsShipmentUid } = swap
    if (swapsShipmentUid === null || ended(swap)) continue
    const went = (uid: string, from: StateCode, to: readonly StateCode[]) =>
      byUid(before).get(uid)?.stateCode === from && to.some(state => now.get(uid)?.stateCode === state)
    const droppedOff = went(shipmentUid, 'ReadyForDropOff', ['WaitForReceiver', 'ReadyForPickup'])
    expect(went(swapsShipmentUid, 'ReadyForPickup', ['Completed'])).toBe(droppedOff)
  }
}

/** The callbacks that a step has to lead to: what comes after another one was made after it, too. */
function newsOf({ uids }: Site, before: Shipments, after: Shipments): string[] {
  const was = byUid(before)
  const letters = new Map([...uids].map(([letter, uid]) => [uid, letter]))
  return after
    .filter(({ shipmentUid, stateCode }) => was.get(shipmentUid)?.stateCode !== stateCode)
    .map(({ shipmentUid, stateCode }) => `${letters.get(shipmentUid)} ${stateCode}`)
}

/** The letter of a shipment: sometimes of any, sometimes of an active one, mostly of one that the verb makes sense for. */
function chosen(verb: Verb, { uids }: Site, shipments: Shipments, which: number): string {
  const active = shipments.filter(shipment => !ended(shipment))
  const best = active.filter(apt[verb] ?? (() => true))
  const from = which % 6 === 0 ? shipments : which % 6 === 1 || best.length === 0 ? active : best
  const uid = from[Math.floor(which / 6) % from.length]?.shipmentUid
  return [...uids].find(([, of]) => of === uid)?.[0] ?? 'none'
}
