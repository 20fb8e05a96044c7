import { describe, expect, test } from 'vitest'
import { canBeFollowed, findNoFollowerReason, initialStateAfter, type NoFollowerReason } from '#contract/machines'
import { activeStates, type Link, type StateCode, stateCodes } from '#contract/terms'
import { linked, type Words } from '../../support/machines/linked.ts'

describe('a shipment can be followed', () => {
  test.each(activeStates)('while it is in %s', state => {
    expect(canBeFollowed(linked([`stock S ${state}`]), 'S')).toBe(true)
  })

  test.each(['Completed', 'Cancelled'] as const)('but not once it is %s', state => {
    expect(canBeFollowed(linked([`stock S ${state}`]), 'S')).toBe(false)
  })

  const rows: { title: string; shipments: Words[]; reason?: NoFollowerReason }[] = [
    {
      title: 'the intake of a swap, as the last of its chain',
      shipments: ['intake S WaitForPriorShipment, swap X'],
    },
    {
      title: 'a shipment with a swap',
      shipments: ['issue S ReadyForPickup', 'intake I ReadyForDropOff, swap S'],
      reason: 'followed',
    },
    {
      title: 'a shipment whose swap was cancelled',
      shipments: ['issue S ReadyForPickup', 'intake I Cancelled, swap S'],
    },
    {
      title: 'a shipment with a subsequent intake',
      shipments: ['issue S ReadyForPickup', 'intake I WaitForPriorShipment, subsequent S'],
      reason: 'followed',
    },
    {
      title: 'the intake of a circular pair',
      shipments: ['intake S ReadyForDropOff', 'stock C WaitForPriorShipment, circular S'],
      reason: 'feedsStock',
    },
    {
      title: 'an intake whose circular stock was cancelled',
      shipments: ['intake S ReadyForDropOff', 'stock C Cancelled, circular S'],
    },
    {
      title: 'circular stock',
      shipments: ['intake I ReadyForDropOff', 'stock S WaitForPriorShipment, circular I'],
    },
    { title: 'a shipment for a single collection', shipments: ['collectOnly S ReadyForPickup'], reason: 'collectOnly' },
    {
      title: 'a shipment that stays booked after a collection',
      shipments: ['kept S ReadyForPickup'],
      reason: 'collectOnly',
    },
    { title: 'an unknown shipment', shipments: ['issue X ReadyForPickup'], reason: 'ended' },
  ]
  test.each(rows)('$title, unless it is $reason', ({ shipments, reason }) => {
    expect(findNoFollowerReason(linked(shipments), 'S')).toBe(reason)
    expect(canBeFollowed(linked(shipments), 'S')).toBe(reason === undefined)
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
