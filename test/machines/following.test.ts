import { describe, expect, test } from 'vitest'
import { activeStates, type StateCode, stateCodes } from '#contract/terms'
import { canBeFollowed, firstStateAfter, type Link } from '#machines'
import { linked, type Words } from './linked.ts'

describe('whether another one can come after a shipment', () => {
  test.each(activeStates)('yes, while it is in %s', state => {
    expect(canBeFollowed(linked([`stock S ${state}`]), 'S')).toBe(true)
  })

  test.each(['Completed', 'Cancelled'] as const)('not when it is %s', state => {
    expect(canBeFollowed(linked([`stock S ${state}`]), 'S')).toBe(false)
  })

  const rows: { what: string; shipments: Words[]; can: boolean }[] = [
    {
      what: 'the intake of a swap, which is the last of its chain',
      shipments: ['intake S WaitForPriorShipment, swap X'],
      can: true,
    },
    {
      what: 'one that is swapped already',
      shipments: ['issue S ReadyForPickup', 'intake I ReadyForDropOff, swap S'],
      can: false,
    },
    {
      what: 'one whose swap was cancelled',
      shipments: ['issue S ReadyForPickup', 'intake I Cancelled, swap S'],
      can: true,
    },
    {
      what: 'one that is brought back later',
      shipments: ['issue S ReadyForPickup', 'intake I WaitForPriorShipment, subsequent S'],
      can: false,
    },
    {
      what: 'the intake of a circular pair',
      shipments: ['intake S ReadyForDropOff', 'stock C WaitForPriorShipment, circular S'],
      can: false,
    },
    {
      what: 'an intake whose circular stock was cancelled',
      shipments: ['intake S ReadyForDropOff', 'stock C Cancelled, circular S'],
      can: true,
    },
    {
      what: 'circular stock',
      shipments: ['intake I ReadyForDropOff', 'stock S WaitForPriorShipment, circular I'],
      can: true,
    },
    { what: 'one for a single collection', shipments: ['collectOnly S ReadyForPickup'], can: false },
    { what: 'one that stays booked', shipments: ['kept S ReadyForPickup'], can: false },
    { what: 'one that is not there', shipments: ['issue X ReadyForPickup'], can: false },
  ]
  test.each(rows)('$what: $can', ({ shipments, can }) => {
    expect(canBeFollowed(linked(shipments), 'S')).toBe(can)
  })
})

describe('the state in which a shipment starts that comes after another one', () => {
  const all = (['swap', 'subsequent', 'circular'] as const).flatMap(link =>
    stateCodes.map((prior): [Link, StateCode] => [link, prior]),
  )
  test.each(all)('%s, after one in %s', (link, prior) => {
    const comes = link === 'swap' && prior === 'ReadyForPickup'
    expect(firstStateAfter(link, prior)).toBe(comes ? 'ReadyForDropOff' : 'WaitForPriorShipment')
  })
})
