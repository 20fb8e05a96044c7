import { describe, expect, test } from 'vitest'
import { activeStates, type Link, type StateCode, stateCodes } from '#contract/terms'
import { canBeFollowed, initialStateAfter } from '#machines'
import { linked, type Words } from '../support/machines/linked.ts'

describe('a shipment can be followed', () => {
  test.each(activeStates)('while it is in %s', state => {
    expect(canBeFollowed(linked([`stock S ${state}`]), 'S')).toBe(true)
  })

  test.each(['Completed', 'Cancelled'] as const)('but not once it is %s', state => {
    expect(canBeFollowed(linked([`stock S ${state}`]), 'S')).toBe(false)
  })

  const rows: { title: string; shipments: Words[]; can: boolean }[] = [
    {
      title: 'the intake of a swap, as the last of its chain',
      shipments: ['intake S WaitForPriorShipment, swap X'],
      can: true,
    },
    {
      title: 'a shipment with a swap',
      shipments: ['issue S ReadyForPickup', 'intake I ReadyForDropOff, swap S'],
      can: false,
    },
    {
      title: 'a shipment whose swap was cancelled',
      shipments: ['issue S ReadyForPickup', 'intake I Cancelled, swap S'],
      can: true,
    },
    {
      title: 'a shipment with a subsequent intake',
      shipments: ['issue S ReadyForPickup', 'intake I WaitForPriorShipment, subsequent S'],
      can: false,
    },
    {
      title: 'the intake of a circular pair',
      shipments: ['intake S ReadyForDropOff', 'stock C WaitForPriorShipment, circular S'],
      can: false,
    },
    {
      title: 'an intake whose circular stock was cancelled',
      shipments: ['intake S ReadyForDropOff', 'stock C Cancelled, circular S'],
      can: true,
    },
    {
      title: 'circular stock',
      shipments: ['intake I ReadyForDropOff', 'stock S WaitForPriorShipment, circular I'],
      can: true,
    },
    { title: 'a shipment for a single collection', shipments: ['collectOnly S ReadyForPickup'], can: false },
    { title: 'a shipment that stays booked after a collection', shipments: ['kept S ReadyForPickup'], can: false },
    { title: 'an unknown shipment', shipments: ['issue X ReadyForPickup'], can: false },
  ]
  test.each(rows)('$title: $can', ({ shipments, can }) => {
    expect(canBeFollowed(linked(shipments), 'S')).toBe(can)
  })
})

describe('the initial state of a linked shipment', () => {
  const all = (['swap', 'subsequent', 'circular'] as const).flatMap(link =>
    stateCodes.map((prior): [Link, StateCode] => [link, prior]),
  )
  test.each(all)('by the link %s to one in %s', (link, prior) => {
    const comes = link === 'swap' && prior === 'ReadyForPickup'
    expect(initialStateAfter(link, prior)).toBe(comes ? 'ReadyForDropOff' : 'WaitForPriorShipment')
  })
})
