import { describe, expect, test } from 'vitest'
import { applyToLinked } from '#contract/machines'
import {
  chain,
  changesIn,
  changesOf,
  lent,
  linked,
  pair,
  type Row,
  returned,
  type Words,
} from '../../support/machines/linked.ts'

const waiting: Words[] = ['issue S ReadyForDropOff', 'intake I WaitForPriorShipment, swap S']
const refused: Row[] = (
  [
    { title: 'an unknown shipment', shipments: pair, on: 'dropOff X' },
    { title: 'a drop off of a swap before the swapped item arrived', shipments: waiting, on: 'dropOff I' },
    { title: 'a pick up before the drop off', shipments: waiting, on: 'pickUp S' },
    { title: 'a pick up of a swap that is not dropped off', shipments: pair, on: 'pickUp I' },
    { title: 'a second drop off', shipments: pair, on: 'dropOff S' },
    { title: 'a drop off that skips one of the chain', shipments: chain, on: 'dropOff W' },
    {
      title: 'a drop off of a cancelled swap, which does not pick up the swapped item',
      shipments: ['issue S ReadyForPickup', 'intake I Cancelled, swap S'],
      on: 'dropOff I',
    },
    {
      title: 'a drop off of a subsequent intake before the pick up',
      shipments: lent,
      on: 'dropOff I',
    },
    { title: 'a drop off of circular stock', shipments: returned, on: 'dropOff C' },
    { title: 'a pick up of circular stock before the intake is dropped off', shipments: returned, on: 'pickUp C' },
    { title: 'issuing a shipment that has a receiver', shipments: pair, on: 'issueFromStock S' },
    { title: 'issuing a shipment that is not stock', shipments: waiting, on: 'issueFromStock I' },
    { title: 'setting a second receiver', shipments: waiting, on: 'setReceiver I' },
    {
      title: 'setting the receiver of an item that can be picked up',
      shipments: ['stock S ReadyForPickup'],
      on: 'setReceiver S',
    },
    { title: 'removing the receiver of an item that can be picked up', shipments: pair, on: 'removeReceiver S' },
    { title: 'removing a receiver that is not set', shipments: ['stock S ReadyForDropOff'], on: 'removeReceiver S' },
  ] satisfies Omit<Row, 'changes'>[]
).map(row => ({ ...row, changes: undefined }))

describe('refused:', () => {
  test.each(refused)('$title ($on)', row => {
    expect(changesIn(row)).toEqual(row.changes)
  })
})

test.each(['dropOff', 'pickUp', 'setReceiver', 'removeReceiver', 'issueFromStock', 'priorAdvanced', 'cancel'] as const)(
  '%s is refused once the shipment has ended',
  event => {
    for (const state of ['Completed', 'Cancelled'] as const) {
      expect(changesOf(linked([`stock S ${state}`, 'intake I ReadyForPickup, swap S']), event, 'S')).toBeUndefined()
    }
  },
)

test('an event does not change shipments that are not linked', () => {
  const others = linked(['issue X ReadyForPickup', 'intake Y ReadyForDropOff, swap X'])
  expect(changesOf([...others, ...linked(pair)], 'pickUp', 'S')).toEqual(['S Completed', 'I ReadyForPickup'])
})

test('a collection that keeps the locker booked does not change the state', () => {
  expect(changesOf(linked(['kept K ReadyForPickup']), 'pickUp', 'K')).toEqual(['K ReadyForPickup'])
})

test('a change carries the new context', () => {
  const named = applyToLinked(linked(['stock S WaitForReceiver']), 'S', { type: 'setReceiver' })
  expect(named).toMatchObject({ changes: [{ next: { context: { receiver: true, stock: true } } }] })
  const removed = applyToLinked(linked(['issue S ReadyForDropOff']), 'S', { type: 'removeReceiver' })
  expect(removed).toMatchObject({ changes: [{ next: { context: { receiver: false, stock: false } } }] })
})

test('an event leaves the given shipments unchanged', () => {
  const shipments = linked(chain)
  changesOf(shipments, 'dropOff', 'I')
  changesOf(shipments, 'cancel', 'S')
  expect(shipments).toEqual(linked(chain))
})
