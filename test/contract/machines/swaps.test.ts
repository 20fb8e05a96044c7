import { describe, expect, test } from 'vitest'
import { chain, changesIn, pair, type Row } from '../../support/machines/linked.ts'

const rows: Row[] = [
  {
    title: 'can be dropped off once the swapped item is placed for a receiver',
    shipments: ['issue S ReadyForDropOff', 'intake I WaitForPriorShipment, swap S'],
    on: 'dropOff S',
    changes: ['S ReadyForPickup', 'I ReadyForDropOff'],
  },
  {
    title: 'waits when the swapped item is placed as stock',
    shipments: ['stock S ReadyForDropOff', 'intake I WaitForPriorShipment, swap S'],
    on: 'dropOff S',
    changes: ['S WaitForReceiver'],
  },
  {
    title: 'can be dropped off once the stock gets a receiver',
    shipments: ['stock S WaitForReceiver', 'intake I WaitForPriorShipment, swap S'],
    on: 'setReceiver S',
    changes: ['S ReadyForPickup', 'I ReadyForDropOff'],
  },
  {
    title: 'can be dropped off once the stock is issued',
    shipments: ['stock S WaitForReceiver', 'intake I WaitForPriorShipment, swap S'],
    on: 'issueFromStock S',
    changes: ['S ReadyForPickup', 'I ReadyForDropOff'],
  },
  {
    title: 'does not change when an issue leaves the state as it is',
    shipments: ['stock S ReadyForPickup', 'stock W ReadyForDropOff, swap S'],
    on: 'issueFromStock S',
    changes: ['S ReadyForPickup'],
  },
  {
    title: 'is dropped off by the pick up of the swapped shipment',
    shipments: pair,
    on: 'pickUp S',
    changes: ['S Completed', 'I ReadyForPickup'],
  },
  {
    title: 'picks up the swapped shipment first when it is dropped off',
    shipments: pair,
    on: 'dropOff I',
    changes: ['S Completed', 'I ReadyForPickup'],
  },
  {
    title: 'becomes stock if it has no receiver',
    shipments: ['intake I ReadyForPickup', 'stock W ReadyForDropOff, swap I'],
    on: 'dropOff W',
    changes: ['I Completed', 'W WaitForReceiver'],
  },
  {
    title: 'lets the next of the chain be dropped off in the same opening',
    shipments: chain,
    on: 'dropOff I',
    changes: ['S Completed', 'I ReadyForPickup', 'W ReadyForDropOff'],
  },
  {
    title: 'is not dropped off if it was cancelled',
    shipments: ['issue S ReadyForPickup', 'intake I Cancelled, swap S'],
    on: 'pickUp S',
    changes: ['S Completed'],
  },
  {
    title: 'is dropped off when another swap of the same shipment was cancelled',
    shipments: [...pair, 'intake X Cancelled, swap S'],
    on: 'pickUp S',
    changes: ['S Completed', 'I ReadyForPickup'],
  },
]

describe('a swap (SPEC-25):', () => {
  test.each(rows)('$title ($on)', row => {
    expect(changesIn(row)).toEqual(row.changes)
  })
})
