import { describe, expect, test } from 'vitest'
import { fullProfile, type ServiceProfile, type StateCode, stateCodes } from '#contract/terms'
import type { ShipmentStatus } from '#flows'
import { applyCallback, applySnapshots, noteCleaned } from '../../../workflows/lockers/shipments.ts'
import { compareStates, haveReached } from '../../../workflows/lockers/states.ts'
import { heldIn, issueSteps, progressOf } from '../../support/flows/progress.ts'

const uidSignature: ServiceProfile = { ...fullProfile, standardWebhooks: false }
const unreadable: ServiceProfile = { ...uidSignature, reads: false }
const later = '2026-01-01T13:00:00'

function statusOf(stateCode: string, stateStart = later): ShipmentStatus {
  return { shipmentUid: 'S1', stateCode, stateStart, pupUid: 'P2' }
}

describe('two states compare', () => {
  test.each<[from: string, to: string, as: string]>([
    ['ReadyForDropOff', 'ReadyForDropOff', 'same'],
    ['ReadyForDropOff', 'readyfordropoff', 'same'],
    ['ReadyForDropOff', 'ReadyForPickup', 'newer'],
    ['ReadyForDropOff', 'Completed', 'newer'],
    ['ReadyForDropOff', 'Cancelled', 'newer'],
    ['ReadyForPickup', 'ReadyForDropOff', 'older'],
    ['Completed', 'ReadyForPickup', 'older'],
    ['Completed', 'Cancelled', 'impossible'],
    ['Cancelled', 'Completed', 'impossible'],
    ['WaitForPriorShipment', 'ReadyForDropOff', 'newer'],
    ['Lost', 'Lost', 'same'],
  ])('%s, then %s: %s', (from, to, as) => {
    const { plan } = progressOf(from)
    expect(compareStates(plan, heldIn(from), statusOf(to))).toBe(as)
  })

  test.each([
    ['later', later, 'newer'],
    ['at the same time', '2026-01-01T12:00:00', 'newer'],
    ['earlier', '2026-01-01T11:00:00', 'older'],
    ['earlier in its zone', '2026-01-01T12:30:00+01:00', 'older'],
    ['at an invalid time', 'noon', 'newer'],
  ])('by time when a code is unknown: %s', (_, stateStart, as) => {
    const { plan } = progressOf('Lost')
    expect(compareStates(plan, heldIn('Lost'), statusOf('ReadyForPickup', stateStart))).toBe(as)
    expect(compareStates(plan, heldIn('ReadyForPickup'), statusOf('Lost', stateStart))).toBe(as)
  })

  test('as newer when the known one has an invalid time', () => {
    const { plan } = progressOf('Lost')
    expect(compareStates(plan, { ...heldIn('Lost'), stateStart: 'noon' }, statusOf('ReadyForPickup'))).toBe('newer')
  })

  test('without a circle: of two different states at most one can follow the other', () => {
    const { plan } = progressOf('ReadyForDropOff')
    const pairs = stateCodes.flatMap(one => stateCodes.map((other): [StateCode, StateCode] => [one, other]))
    const both = pairs.filter(
      ([one, other]) => plan.reachable[one]?.includes(other) && plan.reachable[other]?.includes(one),
    )
    expect(both).toEqual([])
  })
})

describe('a callback', () => {
  test.each([
    ['of a newer state is applied', 'ReadyForPickup', { changed: true, poll: false }, 'ReadyForPickup'],
    [
      'in another casing is applied as the known code',
      'READYFORPICKUP',
      { changed: true, poll: false },
      'ReadyForPickup',
    ],
    ['of an unknown, later state is applied', 'Lost', { changed: true, poll: false }, 'Lost'],
    ['of the same state is ignored', 'ReadyForDropOff', { changed: false, poll: false }, 'ReadyForDropOff'],
    ['of an older state is ignored', 'WaitForPriorShipment', { changed: false, poll: false }, 'ReadyForDropOff'],
  ])('%s', (_, stateCode, effect, held) => {
    const progress = progressOf('ReadyForDropOff')
    expect(applyCallback(progress.plan, progress.lockers, statusOf(stateCode))).toEqual(effect)
    expect(progress.lockers.shipments[0]?.stateCode).toBe(held)
  })

  test('of a newer state brings its time and its pick up point', () => {
    const progress = progressOf('ReadyForDropOff')
    applyCallback(progress.plan, progress.lockers, statusOf('ReadyForPickup'))
    expect(progress.lockers.shipments).toEqual([{ ...heldIn('ReadyForPickup'), stateStart: later, pupUid: 'P2' }])
  })

  test('of an impossible state is rejected and leads to a poll', () => {
    const progress = progressOf('Completed')
    expect(applyCallback(progress.plan, progress.lockers, statusOf('Cancelled'))).toEqual({
      changed: true,
      poll: true,
      rejection: 'issue: a callback reported Cancelled, which cannot follow Completed',
    })
    expect(progress.lockers.shipments).toEqual([heldIn('Completed')])
  })

  test.each([
    ['of a newer state', 'ReadyForDropOff', 'ReadyForPickup'],
    ['of an impossible state', 'Completed', 'Cancelled'],
  ])('%s with the uid signature is only a hint to poll', (_, from, to) => {
    const progress = progressOf(from, {}, uidSignature)
    expect(applyCallback(progress.plan, progress.lockers, statusOf(to))).toEqual({ changed: true, poll: true })
    expect(progress.lockers.shipments).toEqual([heldIn(from)])
  })

  test('with the uid signature is applied when the service cannot be read', () => {
    const progress = progressOf('ReadyForDropOff', {}, unreadable)
    expect(applyCallback(progress.plan, progress.lockers, statusOf('ReadyForPickup'))).toEqual({
      changed: true,
      poll: false,
    })
    expect(progress.lockers.shipments[0]?.stateCode).toBe('ReadyForPickup')
  })

  test.each([
    ['about another shipment', { ...statusOf('ReadyForPickup'), shipmentUid: 'S2' }],
    ['without a state', { ...statusOf('ReadyForPickup'), stateCode: null }],
    ['that is null', null],
  ])('%s is ignored', (_, status) => {
    const progress = progressOf('ReadyForDropOff')
    expect(applyCallback(progress.plan, progress.lockers, status as ShipmentStatus)).toEqual({
      changed: false,
      poll: false,
    })
  })
})

describe('a snapshot of the service', () => {
  const snapshotOf = (stateCode: string) => ({ ...statusOf(stateCode), lockerName: 'B2' })

  test.each([
    ['newer', 'ReadyForDropOff', 'ReadyForPickup', 'ReadyForPickup', []],
    ['older', 'Completed', 'ReadyForPickup', 'Completed', []],
    ['the same', 'Completed', 'Completed', 'Completed', []],
    ['impossible', 'Completed', 'Cancelled', 'Cancelled', ['issue: the service reports Cancelled after Completed']],
    ['unknown', 'Completed', 'Robin', 'Robin', []],
  ])('that is %s', (_, from, to, held, sentences) => {
    const progress = progressOf(from)
    expect(applySnapshots(progress.plan, progress.lockers.shipments, [snapshotOf(to)])).toEqual(sentences)
    expect(progress.lockers.shipments).toMatchObject([{ stateCode: held, lockerName: 'B2' }])
  })

  test('tells whether the locker is in service, as long as the service reports it', () => {
    const progress = progressOf('ReadyForDropOff')
    applySnapshots(progress.plan, progress.lockers.shipments, [
      { ...snapshotOf('ReadyForDropOff'), lockerOutOfService: true },
    ])
    expect(progress.lockers.shipments).toMatchObject([{ lockerOutOfService: true }])
    applySnapshots(progress.plan, progress.lockers.shipments, [snapshotOf('ReadyForDropOff')])
    expect(progress.lockers.shipments).toEqual([{ ...heldIn('ReadyForDropOff'), lockerName: 'B2' }])
  })

  test('changes only its own shipment, in whatever order the service lists them', () => {
    const other = { ...heldIn('WaitForPriorShipment'), role: 'intake', shipmentUid: 'S2' }
    const progress = progressOf('ReadyForDropOff', { shipments: [heldIn('ReadyForDropOff'), other] })
    const read = { stateStart: later, pupUid: 'P1', lockerName: 'A2' }
    const snapshots = [
      { ...read, shipmentUid: 'S2', stateCode: 'ReadyForDropOff' },
      { ...read, shipmentUid: 'S1', stateCode: 'ReadyForPickup' },
    ]
    expect(applySnapshots(progress.plan, progress.lockers.shipments, snapshots)).toEqual([])
    expect(progress.lockers.shipments.map(({ stateCode }) => stateCode)).toEqual(['ReadyForPickup', 'ReadyForDropOff'])
  })

  test('without the shipment is reported', () => {
    const { plan, lockers } = progressOf('Completed')
    expect(applySnapshots(plan, lockers.shipments, [])).toEqual(['issue: the service does not know the shipment'])
  })
})

describe('a wait is over', () => {
  const [, dropOff, pickUp] = issueSteps

  test.each([
    ['ReadyForDropOff', dropOff, false],
    ['ReadyForPickup', dropOff, true],
    ['Completed', dropOff, true],
    ['Cancelled', dropOff, false],
    ['Lost', dropOff, false],
    ['ReadyForPickup', pickUp, false],
    ['Completed', pickUp, true],
  ])('in %s, $1.name: %s', (stateCode, { reached }, is) => {
    expect(haveReached(reached, progressOf(stateCode))).toBe(is)
  })

  test.each([
    ['Completed', 'ReadyForPickup', true],
    ['Completed', 'WaitForPriorShipment', false],
    ['ReadyForPickup', 'ReadyForPickup', false],
  ])('for two roles only when both have reached their states: %s and %s', (issue, intake, is) => {
    const shipments = [heldIn(issue), { ...heldIn(intake), role: 'intake', shipmentUid: 'S2' }]
    const progress = progressOf(issue, { shipments })
    expect(haveReached({ issue: 'Completed', intake: 'ReadyForPickup' }, progress)).toBe(is)
  })

  test('for no shipment when a role is missing', () => {
    expect(haveReached(dropOff.reached, progressOf('ReadyForPickup', { shipments: [] }))).toBe(false)
  })
})

test('a callback reaches each role of its shipment', () => {
  const progress = progressOf('ReadyForPickup', {
    shipments: [{ ...heldIn('ReadyForPickup'), role: 'stock' }, heldIn('ReadyForPickup')],
  })
  expect(applyCallback(progress.plan, progress.lockers, statusOf('Completed'))).toEqual({ changed: true, poll: false })
  expect(progress.lockers.shipments.map(({ stateCode }) => stateCode)).toEqual(['Completed', 'Completed'])
})

test('a shipment has the state after its cancellation, unless a callback has reported its end', () => {
  const left = 'failed'
  const waiting = progressOf('ReadyForDropOff')
  const cancelled = { shipmentUid: 'S1', stateCode: 'Cancelled', left: null } as const
  expect(noteCleaned(waiting.lockers, [cancelled])).toEqual([cancelled])
  expect(waiting.lockers.shipments).toMatchObject([{ stateCode: 'Cancelled' }])
  const ended = progressOf('Completed')
  expect(noteCleaned(ended.lockers, [{ ...cancelled, stateCode: 'ReadyForPickup', left }])).toMatchObject([
    { stateCode: 'Completed', left: null },
  ])
  expect(ended.lockers.shipments).toMatchObject([{ stateCode: 'Completed' }])
})
