import { describe, expect, test } from 'vitest'
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

const cancellations: Row[] = [
  {
    title: 'also cancels the swap that waits for the shipment',
    shipments: ['issue S ReadyForDropOff', 'intake I WaitForPriorShipment, swap S'],
    on: 'cancel S',
    changes: ['S Cancelled', 'I Cancelled'],
  },
  {
    title: 'also cancels the swap that can be dropped off',
    shipments: pair,
    on: 'cancel S',
    changes: ['S Cancelled', 'I Cancelled'],
  },
  {
    title: 'cancels every shipment of the chain that follows',
    shipments: chain,
    on: 'cancel S',
    changes: ['S Cancelled', 'I Cancelled', 'W Cancelled'],
  },
  {
    title: 'spreads over links of every kind',
    shipments: lent,
    on: 'cancel S',
    changes: ['S Cancelled', 'I Cancelled', 'C Cancelled'],
  },
  { title: 'leaves the prior shipment', shipments: pair, on: 'cancel I', changes: ['I Cancelled'] },
  {
    title: 'leaves the prior shipment, but not the next one',
    shipments: chain,
    on: 'cancel I',
    changes: ['I Cancelled', 'W Cancelled'],
  },
  {
    title: 'of an intake also cancels its circular stock',
    shipments: lent,
    on: 'cancel I',
    changes: ['I Cancelled', 'C Cancelled'],
  },
  { title: 'of circular stock leaves its intake', shipments: returned, on: 'cancel C', changes: ['C Cancelled'] },
  {
    title: 'leaves a follower that holds an item',
    shipments: ['issue S ReadyForDropOff', 'intake I ReadyForPickup, swap S'],
    on: 'cancel S',
    changes: ['S Cancelled'],
  },
  {
    title: 'leaves a follower that has ended',
    shipments: ['issue S ReadyForDropOff', 'intake I Cancelled, swap S'],
    on: 'cancel S',
    changes: ['S Cancelled'],
  },
  {
    title: 'of stock leaves the completed shipment that it swapped',
    shipments: ['intake I Completed', 'stock W WaitForReceiver, swap I'],
    on: 'cancel W',
    changes: ['W Cancelled'],
  },
]

test('a cancellation spreads through a chain of any length', () => {
  const [first, ...followers] = Array.from({ length: 20_000 }, (_, at) => `s${at}`)
  const swaps = followers.map((uid, at): Words => `intake ${uid} WaitForPriorShipment, swap s${at}`)
  const changes = changesOf(linked([`issue ${first} ReadyForDropOff`, ...swaps]), 'cancel', 's0')
  expect(changes).toEqual([first, ...followers].map(uid => `${uid} Cancelled`))
})

describe('a cancellation (SPEC-26):', () => {
  test.each(cancellations)('$title ($on)', row => {
    expect(changesIn(row)).toEqual(row.changes)
  })
})
