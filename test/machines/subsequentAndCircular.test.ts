import { describe, expect, test } from 'vitest'
import { changesIn, lent, type Row, returned } from './linked.ts'

const later: Row[] = [
  {
    what: 'a subsequent intake waits while the item is in the locker',
    shipments: ['issue S ReadyForDropOff', ...lent.slice(1)],
    on: 'dropOff S',
    changes: ['S ReadyForPickup'],
  },
  {
    what: 'its turn comes when the item was picked up',
    shipments: lent,
    on: 'pickUp S',
    changes: ['S Completed', 'I ReadyForDropOff'],
  },
  {
    what: 'the circular stock has what the intake brings',
    shipments: returned,
    on: 'dropOff I',
    changes: ['I Completed', 'C ReadyForPickup'],
  },
  {
    what: 'also for a receiver who is named already, and then the turn of its swap comes',
    shipments: [
      'intake I ReadyForDropOff',
      'issue C WaitForPriorShipment, circular I',
      'intake X WaitForPriorShipment, swap C',
    ],
    on: 'dropOff I',
    changes: ['I Completed', 'C ReadyForPickup', 'X ReadyForDropOff'],
  },
  {
    what: 'whose subsequent intake goes on waiting',
    shipments: [...returned, 'intake J WaitForPriorShipment, subsequent C', 'stock D WaitForPriorShipment, circular J'],
    on: 'dropOff I',
    changes: ['I Completed', 'C ReadyForPickup'],
  },
  {
    what: 'without its circular stock the intake is an ordinary one',
    shipments: ['intake I ReadyForDropOff', 'stock C Cancelled, circular I'],
    on: 'dropOff I',
    changes: ['I ReadyForPickup'],
  },
  {
    what: 'circular stock can be issued before its turn, and later',
    shipments: returned,
    on: 'issueFromStock C',
    changes: ['C WaitForPriorShipment'],
  },
  {
    what: 'circular stock that is there is issued without a change of state',
    shipments: ['intake I Completed', 'stock C ReadyForPickup, circular I'],
    on: 'issueFromStock C',
    changes: ['C ReadyForPickup'],
  },
]

describe('what comes later:', () => {
  test.each(later)('$what ($on)', row => {
    expect(changesIn(row)).toEqual(row.changes)
  })
})
