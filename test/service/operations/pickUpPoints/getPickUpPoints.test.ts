import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RequestOf } from '#contract'
import { booking } from '../../../support/service/topology.ts'
import { createWorld } from '../../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../../support/world/serviceWorld.ts'

let world: ServiceWorld

beforeAll(async () => {
  world = await createWorld()
})

afterAll(() => world.stop())

const byName = ['border', 'lastResort', 'reserve', 'shared', 'shelves', 'square']
const rows: { what: string; ask: RequestOf<'GetPickUpPoints'>; tenant?: string; finds: string[] }[] = [
  { what: 'all of the caller, by name', ask: {}, finds: byName },
  { what: 'all of another caller', ask: {}, tenant: 'globex', finds: ['harbour', 'shared'] },
  { what: 'empty filters', ask: { pupUid: '', searchText: '' }, finds: byName },
  { what: 'one', ask: { pupUid: 'square' }, finds: ['square'] },
  { what: "somebody else's", ask: { pupUid: 'harbour' }, finds: [] },
  { what: 'part of a name in any casing', ask: { searchText: 'sTATION' }, finds: ['square'] },
  { what: 'a city', ask: { searchText: 'utrecht' }, finds: ['square'] },
  { what: 'a city with blanks around it', ask: { searchText: ' utrecht ' }, finds: ['square'] },
  { what: 'blanks only', ask: { searchText: '  ' }, finds: byName },
  { what: 'a letter that ASCII does not have', ask: { searchText: 'Élysée' }, finds: ['border'] },
  { what: 'such a letter in another casing', ask: { searchText: 'éLYSÉ' }, finds: ['border'] },
  { what: 'such a letter as two characters', ask: { searchText: 'E\u0301lyse\u0301e' }, finds: ['border'] },
  { what: 'a text with a sign that searches use themselves', ask: { searchText: '100%' }, finds: ['reserve'] },
  { what: 'a sign that would match everything', ask: { searchText: '_' }, finds: [] },
]

describe('GetPickUpPoints lists', () => {
  test.each(rows)('$what: $finds', async ({ ask, tenant, finds }) => {
    const response = await world.call('GetPickUpPoints', ask, tenant)
    expect(response.items.map(({ pupUid }) => pupUid)).toEqual(finds)
    expect(response).toMatchObject({ totalItems: finds.length, totalPages: finds.length > 0 ? 1 : 0 })
  })

  test.each([undefined, 's'])('a page, with the text %s that all have', async searchText => {
    const response = await world.call('GetPickUpPoints', { searchText, pageNo: 2, pageSize: 4 })
    expect(response.items.map(({ pupUid }) => pupUid)).toEqual(['shelves', 'square'])
    expect(response).toMatchObject({ pageNo: 2, pageSize: 4, totalItems: 6, totalPages: 2 })
  })
})

test('without details it returns a name and a time zone', async () => {
  const { items } = await world.call('GetPickUpPoints', { pupUid: 'square' })
  expect(items).toEqual([
    { pupUid: 'square', name: 'Station Square', timeZone: 'Europe/Amsterdam', outOfService: null },
  ])
})

test('with details it returns the address and the lockers by size, free and total', async () => {
  await world.call('CreateLocalShipmentAsStock', booking)
  const { items } = await world.call('GetPickUpPoints', { pupUid: 'square', includeDetails: true })
  expect(items).toEqual([
    {
      pupUid: 'square',
      name: 'Station Square',
      timeZone: 'Europe/Amsterdam',
      outOfService: null,
      streetName: 'Square',
      streetNo: '1a',
      mailbox: null,
      city: 'Utrecht',
      countryCode: 'NL',
      externalReference: 'ext-1',
      lockers: [
        { width: 10, height: 20, length: 30, total: 2, free: 1 },
        { width: 20, height: 30, length: 40, total: 1, free: 1 },
        { width: 40, height: 40, length: 40, total: 1, free: 1 },
      ],
    },
  ])
})
