import { describe, expect, test } from 'vitest'
import type { Ends, Expected, StoryState } from '#testing/story'
import { compareEnd, compareState } from '../../../testing/story/match.ts'

const waiting: StoryState = {
  step: 'pickUp',
  overdue: true,
  deadline: null,
  currentDetails: '**Overdue.** A person decides about C\\-1',
  outcome: null,
  code: null,
  message: null,
  shipments: [
    { role: 'issue', stateCode: 'ReadyForPickup' },
    { role: 'intake', stateCode: 'ReadyForDropOff' },
  ],
  leftOver: [],
  ran: [],
  outputs: {},
}

const inLocker = { role: 'issue', step: 'booking', reason: 'there is an item in the locker' }
const inShop = { role: null, step: 'repair', reason: 'The device is repaired and not paid.' }

const failed: StoryState = {
  ...waiting,
  step: null,
  outcome: 'failed',
  code: 'NoLockerAvailable',
  shipments: [{ role: 'issue', stateCode: 'Cancelled' }],
  leftOver: [inLocker, inShop],
  ran: ['printLabel', 'repair'],
  outputs: { cents: 4_900, label: { labelNo: 'L-1' } },
}

const fieldsOf = (differences: ReturnType<typeof compareEnd>) => differences.map(({ at }) => at.join('.'))

describe('expect', () => {
  test.each<[field: string, right: Expected, wrong: Expected]>([
    ['step', { step: 'pickUp' }, { step: 'dropOff' }],
    ['overdue', { overdue: true }, { overdue: false }],
    [
      'currentDetails',
      { currentDetails: 'overdue. a person decides about c-1' },
      { currentDetails: 'overdue. a person decides about c-2' },
    ],
    ['outcome', {}, { outcome: 'completed' }],
    ['shipments.intake', { shipments: { intake: 'ReadyForDropOff' } }, { shipments: { intake: 'ReadyForPickup' } }],
    ['shipments.stock', {}, { shipments: { issue: 'ReadyForPickup', stock: 'WaitForReceiver' } }],
  ])('has a difference in %s, or none', (field, right, wrong) => {
    expect(compareState(right, waiting)).toEqual([])
    expect(fieldsOf(compareState(wrong, waiting))).toEqual([field])
  })

  test('has the outcome of an ended flow', () => {
    expect(compareState({ outcome: 'failed' }, failed)).toEqual([])
    expect(compareState({ outcome: 'expired' }, failed)).toEqual([
      { at: ['outcome'], expected: 'expired', actual: 'failed' },
    ])
  })

  test('reports each field that differs', () => {
    const wrong: Expected = {
      step: 'dropOff',
      overdue: false,
      currentDetails: 'in time',
      shipments: { issue: 'Completed' },
    }
    expect(fieldsOf(compareState(wrong, waiting))).toEqual(['step', 'overdue', 'currentDetails', 'shipments.issue'])
  })
})

describe('ends', () => {
  test.each<[field: string, right: Ends, wrong: Ends]>([
    ['outcome', { outcome: 'failed' }, { outcome: 'cancelled' }],
    ['code', { code: 'NoLockerAvailable' }, { code: 'RequestOverdue' }],
    ['bookings.issue', { bookings: { issue: 'Cancelled' } }, { bookings: { issue: 'Completed' } }],
    ['bookings.back', {}, { bookings: { back: 'Completed' } }],
    ['ran', { ran: ['printLabel', 'repair'] }, { ran: ['repair', 'printLabel'] }],
    ['ran', {}, { ran: ['printLabel'] }],
    ['ran', {}, { ran: [] }],
    ['outputs.cents', { outputs: { cents: 4_900 } }, { outputs: { cents: 4_901 } }],
    ['outputs.label', { outputs: { label: { labelNo: 'L-1' } } }, { outputs: { label: {} } }],
    ['outputs.report', {}, { outputs: { report: 'repaired' } }],
  ])('has a difference in %s, or none', (field, right, wrong) => {
    expect(compareEnd(right, failed)).toEqual([])
    expect(fieldsOf(compareEnd(wrong, failed))).toEqual([field])
  })
})

describe('the left-overs of an end', () => {
  test.each<[string, NonNullable<Ends['leftOver']>]>([
    ['in any order', [{ step: 'repair' }, { role: 'issue' }]],
    ['with one that fits both before one that fits the first', [{}, { role: 'issue' }]],
    ['by the word of a reason', [{ role: 'issue', step: 'booking', reason: 'itemInside' }, {}]],
    ['by a part of a reason, in any letters', [{ reason: 'AN ITEM' }, { reason: 'not paid' }]],
  ])('match %s', (_, leftOver) => {
    expect(compareEnd({ leftOver }, failed)).toEqual([])
  })

  test.each<[string, NonNullable<Ends['leftOver']>]>([
    ['that nothing is left', []],
    ['one of two', [{ role: 'issue' }]],
    ['three of two', [{}, {}, {}]],
    ['one of them twice', [{ role: 'issue' }, { role: 'issue' }]],
    ['another role', [{ role: 'back' }, { step: 'repair' }]],
    ['another step', [{ role: 'issue', step: 'backBooking' }, { step: 'repair' }]],
    ['another reason by its word', [{ role: 'issue', reason: 'existedBefore' }, { step: 'repair' }]],
    ['another reason by its text', [{ role: 'issue', reason: 'in the shop' }, { step: 'repair' }]],
  ])('do not match a case that expects %s', (_, leftOver) => {
    expect(compareEnd({ leftOver }, failed)).toEqual([
      { at: ['leftOver'], expected: leftOver, actual: [inLocker, inShop] },
    ])
  })

  test('are none, as a case can say', () => {
    const nothing = { ...failed, leftOver: [] }
    expect(compareEnd({ leftOver: [] }, nothing)).toEqual([])
    expect(fieldsOf(compareEnd({ leftOver: [{}] }, nothing))).toEqual(['leftOver'])
  })
})
