import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cells, csv, upload } from '../../support/service/uploads.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

let world: ServiceWorld
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

const at = (name: string): Cells => ({ EmailAddress: `${name}@home.example` })

async function search(searchText: string, page: { pageNo?: number; pageSize?: number } = {}) {
  const { items, totalItems } = await world.call('GetAccountSuggestions', { searchText, ...page })
  return { totalItems, found: items.map(({ emailAddress }) => emailAddress.split('@')[0]) }
}

test('without an upload nothing is found', async () => {
  for (const searchText of ['', 'ada', 'ada home']) {
    expect(await search(searchText)).toEqual({ totalItems: 0, found: [] })
  }
})

describe('a word is found by its beginning', () => {
  beforeAll(async () => {
    await upload(
      world.service,
      'a.csv',
      csv([
        { ...at('ada.king'), FirstName: 'Anne-Marie', LastName: 'van den Berg' },
        { ...at('ben'), FirstName: 'Ben', LastName: "O'Brien" },
      ]),
    )
  })

  test.each([
    ['mar', ['ada.king']],
    ['anne-m', ['ada.king']],
    ['berg van', ['ada.king']],
    ['king@home', ['ada.king']],
    ['@home.ex', ['ada.king', 'ben']],
    ['brien', ['ben']],
    ["o'br", ['ben']],
    ['erg', []],
    ['ome', []],
    ['example', []],
    ['ben ben BEN', ['ben']],
    ['ben king', []],
  ])('%j: %j', async (searchText, found) => {
    expect(await search(searchText)).toEqual({ totalItems: found.length, found })
  })

  test('a page after the last one is empty and has the totals', async () => {
    for (const searchText of ['', 'home', 'home.ex h']) {
      expect(await search(searchText, { pageNo: 2, pageSize: 2 })).toEqual({ totalItems: 2, found: [] })
    }
  })
})

describe('a word is found in any case and form of its characters', () => {
  beforeAll(async () => {
    await upload(
      world.service,
      'a.csv',
      csv([
        { ...at('ada'), FirstName: 'İpek', LastName: 'Straße' },
        { ...at('ben'), FirstName: 'Ju\u0308rgen', LastName: 'ΟΔΥΣΣΕΥΣ' },
      ]),
    )
  })

  test.each([
    ['STRASSE', ['ada']],
    ['straß', ['ada']],
    ['ipek', ['ada']],
    ['İPEK', ['ada']],
    ['jürg', ['ben']],
    ['JU\u0308RG', ['ben']],
    ['οδυς', ['ben']],
    ['jurgen', []],
  ])('%j: %j', async (searchText, found) => {
    expect(await search(searchText)).toEqual({ totalItems: found.length, found })
  })
})

test('a search has at most eight words', async () => {
  expect(await search('a b c d e f g h')).toMatchObject({ found: [] })
  const { status, body } = await world.service.call('GetAccountSuggestions', { searchText: 'a b c d e f g h i' })
  expect(status).toBe(400)
  expect(body).toMatchObject({ error: 'InvalidRequest', message: expect.stringMatching(/^searchText: .*8 words/) })
})

test('a text of blanks as long as a body may be occupies the service for no time', async () => {
  const searchText = `${' '.repeat(250_000)}a b c d e f g h i`
  const { user } = process.cpuUsage()
  const { status, body } = await world.service.call('GetAccountSuggestions', { searchText })
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'InvalidRequest' })
  // A pattern that backtracks takes twenty seconds, in which no tenant gets a response.
  expect(process.cpuUsage().user - user).toBeLessThan(5_000_000)
})

describe('a search of words that many suggestions have', () => {
  beforeAll(async () => {
    const many = Array.from({ length: 2_100 }, (_, row) => ({ ...at(`user${row}`), FirstName: `First${row % 7}` }))
    await upload(world.service, 'a.csv', csv(many))
  })

  test('considers 2,000 of them', async () => {
    expect((await search('home')).totalItems).toBe(2_000)
    expect((await search('home h user')).totalItems).toBe(2_000)
  })

  test('is complete with a rarer word, whatever its place', async () => {
    expect(await search('home user2099 h')).toEqual({ totalItems: 1, found: ['user2099'] })
    expect((await search('home first3')).totalItems).toBe(300)
  })

  test('without words all are listed', async () => {
    const { totalItems, found } = await search('', { pageNo: 21, pageSize: 100 })
    expect(totalItems).toBe(2_100)
    expect(found).toEqual(Array.from({ length: 100 }, (_, row) => `user${2_000 + row}`))
  })

  test('a page far past the end is empty', async () => {
    const pageNo = Number.MAX_SAFE_INTEGER
    for (const text of ['', 'first3']) expect((await search(text, { pageNo, pageSize: 500 })).found).toEqual([])
  })
})

test('total and rows are of one upload while others replace it', async () => {
  const files = ['a', 'b'].map((letter, index) =>
    csv(Array.from({ length: 3 + index }, (_, row) => at(`${letter}${row}`))),
  )
  await upload(world.service, 'a.csv', files[0])
  let uploading = true
  const replacing = (async () => {
    for (const file of [files[1], files[0], files[1]]) await upload(world.service, 'a.csv', file)
  })().finally(() => {
    uploading = false
  })
  const seen = new Set<string>()
  while (uploading) {
    for (const searchText of ['', 'home', 'home.ex h']) {
      const { totalItems, found } = await search(searchText)
      seen.add(`${totalItems} ${found.join()}`)
    }
  }
  await replacing
  expect([...seen].toSorted()).toEqual(['3 a0,a1,a2', '4 b0,b1,b2,b3'])
})
