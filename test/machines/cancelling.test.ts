import { describe, expect, test } from 'vitest'
import { chain, changesIn, lent, pair, type Row, returned } from './linked.ts'

const cancellations: Row[] = [
  {
    what: 'the swap goes with the swapped one, while it waits',
    shipments: ['issue S ReadyForDropOff', 'intake I WaitForPriorShipment, swap S'],
    on: 'cancel S',
    changes: ['S Cancelled', 'I Cancelled'],
  },
  {
    what: 'also when it could be dropped off',
    shipments: pair,
    on: 'cancel S',
    changes: ['S Cancelled', 'I Cancelled'],
  },
  {
    what: 'and all that come after it',
    shipments: chain,
    on: 'cancel S',
    changes: ['S Cancelled', 'I Cancelled', 'W Cancelled'],
  },
  {
    what: 'over links of every kind',
    shipments: lent,
    on: 'cancel S',
    changes: ['S Cancelled', 'I Cancelled', 'C Cancelled'],
  },
  { what: 'what comes before stays', shipments: pair, on: 'cancel I', changes: ['I Cancelled'] },
  { what: 'on both sides', shipments: chain, on: 'cancel I', changes: ['I Cancelled', 'W Cancelled'] },
  {
    what: 'an intake takes its circular stock along',
    shipments: lent,
    on: 'cancel I',
    changes: ['I Cancelled', 'C Cancelled'],
  },
  { what: 'circular stock leaves its intake', shipments: returned, on: 'cancel C', changes: ['C Cancelled'] },
  {
    what: 'what holds an item stays',
    shipments: ['issue S ReadyForDropOff', 'intake I ReadyForPickup, swap S'],
    on: 'cancel S',
    changes: ['S Cancelled'],
  },
  {
    what: 'what has ended stays',
    shipments: ['issue S ReadyForDropOff', 'intake I Cancelled, swap S'],
    on: 'cancel S',
    changes: ['S Cancelled'],
  },
  {
    what: 'stock that came by a swap does not take the one before along, which is gone',
    shipments: ['intake I Completed', 'stock W WaitForReceiver, swap I'],
    on: 'cancel W',
    changes: ['W Cancelled'],
  },
]

describe('a cancellation:', () => {
  test.each(cancellations)('$what ($on)', row => {
    expect(changesIn(row)).toEqual(row.changes)
  })
})
