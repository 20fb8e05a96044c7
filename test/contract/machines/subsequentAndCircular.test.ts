import { describe, expect, test } from 'vitest'
import { changesIn, lent, type Row, returned } from '../../support/machines/linked.ts'

const rows: Row[] = [
  {
    title: 'a subsequent intake waits while the item is in the locker',
    shipments: ['issue S ReadyForDropOff', ...lent.slice(1)],
    on: 'dropOff S',
    changes: ['S ReadyForPickup'],
  },
  {
    title: 'a subsequent intake can be dropped off once the item was picked up',
    shipments: lent,
    on: 'pickUp S',
    changes: ['S Completed', 'I ReadyForDropOff'],
  },
  {
    title: 'the drop off of the intake puts the item into circular stock',
    shipments: returned,
    on: 'dropOff I',
    changes: ['I Completed', 'C ReadyForPickup'],
  },
  {
    title: 'circular stock that was issued before can be picked up then, and its swap dropped off',
    shipments: [
      'intake I ReadyForDropOff',
      'issue C WaitForPriorShipment, circular I',
      'intake X WaitForPriorShipment, swap C',
    ],
    on: 'dropOff I',
    changes: ['I Completed', 'C ReadyForPickup', 'X ReadyForDropOff'],
  },
  {
    title: 'the subsequent intake of circular stock still waits',
    shipments: [...returned, 'intake J WaitForPriorShipment, subsequent C', 'stock D WaitForPriorShipment, circular J'],
    on: 'dropOff I',
    changes: ['I Completed', 'C ReadyForPickup'],
  },
  {
    title: 'an intake whose circular stock was cancelled is an ordinary one',
    shipments: ['intake I ReadyForDropOff', 'stock C Cancelled, circular I'],
    on: 'dropOff I',
    changes: ['I ReadyForPickup'],
  },
  {
    title: 'circular stock can be issued before the item arrives',
    shipments: returned,
    on: 'issueFromStock C',
    changes: ['C WaitForPriorShipment'],
  },
  {
    title: 'circular stock that holds the item is issued without a change of state',
    shipments: ['intake I Completed', 'stock C ReadyForPickup, circular I'],
    on: 'issueFromStock C',
    changes: ['C ReadyForPickup'],
  },
]

describe('subsequent and circular shipments (SPEC-24):', () => {
  test.each(rows)('$title ($on)', row => {
    expect(changesIn(row)).toEqual(row.changes)
  })
})
