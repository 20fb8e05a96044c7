import { describe, expect, test } from 'vitest'
import { happen } from '#machines'
import { chain, changesIn, changesOf, lent, linked, pair, type Row, returned, type Words } from './linked.ts'

const waiting: Words[] = ['issue S ReadyForDropOff', 'intake I WaitForPriorShipment, swap S']
const refused: Row[] = (
  [
    { what: 'one that is not there', shipments: pair, on: 'dropOff X' },
    { what: 'a drop off onto what is not there yet', shipments: waiting, on: 'dropOff I' },
    { what: 'a pick up of what is not there yet', shipments: waiting, on: 'pickUp S' },
    { what: 'a pick up of what is only to be dropped off', shipments: pair, on: 'pickUp I' },
    { what: 'a second drop off', shipments: pair, on: 'dropOff S' },
    { what: 'a drop off beyond the next in the chain', shipments: chain, on: 'dropOff W' },
    {
      what: 'a drop off of a swap that was cancelled, which takes nothing out either',
      shipments: ['issue S ReadyForPickup', 'intake I Cancelled, swap S'],
      on: 'dropOff I',
    },
    {
      what: 'a drop off before the item was picked up',
      shipments: lent,
      on: 'dropOff I',
    },
    { what: 'a drop off of circular stock', shipments: returned, on: 'dropOff C' },
    { what: 'a pick up of circular stock that is not there', shipments: returned, on: 'pickUp C' },
    { what: 'an issue of what has a receiver', shipments: pair, on: 'issueFromStock S' },
    { what: 'an issue of what is no stock', shipments: waiting, on: 'issueFromStock I' },
    { what: 'a receiver for what has one', shipments: waiting, on: 'setReceiver I' },
    { what: 'a receiver for what can be picked up', shipments: ['stock S ReadyForPickup'], on: 'setReceiver S' },
    { what: 'no receiver for what can be picked up', shipments: pair, on: 'removeReceiver S' },
    { what: 'no receiver for what has none', shipments: ['stock S ReadyForDropOff'], on: 'removeReceiver S' },
  ] satisfies Omit<Row, 'changes'>[]
).map(row => ({ ...row, changes: undefined }))

describe('refused:', () => {
  test.each(refused)('$what ($on)', row => {
    expect(changesIn(row)).toEqual(row.changes)
  })
})

test.each(['dropOff', 'pickUp', 'setReceiver', 'removeReceiver', 'issueFromStock', 'turnComes', 'cancel'] as const)(
  'no %s after the end',
  event => {
    for (const state of ['Completed', 'Cancelled'] as const) {
      expect(changesOf(linked([`stock S ${state}`, 'intake I ReadyForPickup, swap S']), event, 'S')).toBeUndefined()
    }
  },
)

test('shipments that are not linked with it are no concern of an event', () => {
  const others = linked(['issue X ReadyForPickup', 'intake Y ReadyForDropOff, swap X'])
  expect(changesOf([...others, ...linked(pair)], 'pickUp', 'S')).toEqual(['S Completed', 'I ReadyForPickup'])
})

test('a collection that keeps the locker booked changes no state', () => {
  expect(changesOf(linked(['kept K ReadyForPickup']), 'pickUp', 'K')).toEqual(['K ReadyForPickup'])
})

test('a change tells whether there is a receiver now', () => {
  const named = happen(linked(['stock S WaitForReceiver']), 'S', { type: 'setReceiver' })
  expect(named).toMatchObject({ changes: [{ next: { facts: { receiver: true, stock: true } } }] })
  const removed = happen(linked(['issue S ReadyForDropOff']), 'S', { type: 'removeReceiver' })
  expect(removed).toMatchObject({ changes: [{ next: { facts: { receiver: false, stock: false } } }] })
})

test('an event leaves the shipments that it was asked about as they were', () => {
  const held = linked(chain)
  changesOf(held, 'dropOff', 'I')
  changesOf(held, 'cancel', 'S')
  expect(held).toEqual(linked(chain))
})
