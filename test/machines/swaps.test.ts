import { describe, expect, test } from 'vitest'
import { chain, changesIn, pair, type Row } from './linked.ts'

const swaps: Row[] = [
  {
    what: 'its turn comes when the swapped one is dropped off for a receiver',
    shipments: ['issue S ReadyForDropOff', 'intake I WaitForPriorShipment, swap S'],
    on: 'dropOff S',
    changes: ['S ReadyForPickup', 'I ReadyForDropOff'],
  },
  {
    what: 'not when it goes into stock',
    shipments: ['stock S ReadyForDropOff', 'intake I WaitForPriorShipment, swap S'],
    on: 'dropOff S',
    changes: ['S WaitForReceiver'],
  },
  {
    what: 'but when that gets a receiver',
    shipments: ['stock S WaitForReceiver', 'intake I WaitForPriorShipment, swap S'],
    on: 'setReceiver S',
    changes: ['S ReadyForPickup', 'I ReadyForDropOff'],
  },
  {
    what: 'or is issued',
    shipments: ['stock S WaitForReceiver', 'intake I WaitForPriorShipment, swap S'],
    on: 'issueFromStock S',
    changes: ['S ReadyForPickup', 'I ReadyForDropOff'],
  },
  {
    what: 'not by an issue that changes no state',
    shipments: ['stock S ReadyForPickup', 'stock W ReadyForDropOff, swap S'],
    on: 'issueFromStock S',
    changes: ['S ReadyForPickup'],
  },
  {
    what: 'the pick up of the one is the drop off of the other',
    shipments: pair,
    on: 'pickUp S',
    changes: ['S Completed', 'I ReadyForPickup'],
  },
  {
    what: 'the drop off of the one is the pick up of the other, which comes first',
    shipments: pair,
    on: 'dropOff I',
    changes: ['S Completed', 'I ReadyForPickup'],
  },
  {
    what: 'without a receiver it goes into stock',
    shipments: ['intake I ReadyForPickup', 'stock W ReadyForDropOff, swap I'],
    on: 'dropOff W',
    changes: ['I Completed', 'W WaitForReceiver'],
  },
  {
    what: 'the turn of the next in a chain comes in the same opening',
    shipments: chain,
    on: 'dropOff I',
    changes: ['S Completed', 'I ReadyForPickup', 'W ReadyForDropOff'],
  },
  {
    what: 'a swap that was cancelled brings nothing',
    shipments: ['issue S ReadyForPickup', 'intake I Cancelled, swap S'],
    on: 'pickUp S',
    changes: ['S Completed'],
  },
  {
    what: 'of two swaps only the one that was not cancelled is dropped off',
    shipments: [...pair, 'intake X Cancelled, swap S'],
    on: 'pickUp S',
    changes: ['S Completed', 'I ReadyForPickup'],
  },
]

describe('a swap:', () => {
  test.each(swaps)('$what ($on)', row => {
    expect(changesIn(row)).toEqual(row.changes)
  })
})
