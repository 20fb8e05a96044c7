import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { person } from '../../support/service/accounts.ts'
import { type Cells, csv, upload } from '../../support/service/uploads.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

let world: ServiceWorld
/** One for the tests of a block. */
function useServiceWorld(): void {
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.stop())
}

const at = (name: string): Cells => ({ EmailAddress: `${name}@home.example` })

async function names(tenant = 'acme'): Promise<string[]> {
  const { items } = await world.call('GetAccountSuggestions', {}, tenant)
  return items.map(({ emailAddress }) => emailAddress.split('@')[0] ?? '')
}

describe('an upload', () => {
  useServiceWorld()
  beforeEach(async () => {
    await upload(world.service, 'none.csv', csv([]))
  })

  test('replaces the previous one and counts the rows added, kept and removed (SPEC-78, SPEC-83)', async () => {
    const first = await upload(world.service, 'first.csv', csv([at('ada'), at('ben'), at('cy')]))
    expect(first.result).toMatchObject({ totalCount: 3, importedCount: 3, existedCount: 0, removedCount: 0 })
    const second = await upload(world.service, 'second.csv', csv([at('BEN'), { EmailAddress: 'none' }, at('dee')]))
    expect(second.result).toMatchObject({
      totalCount: 3,
      importedCount: 1,
      existedCount: 1,
      removedCount: 2,
      errorCount: 1,
    })
    expect(await names()).toEqual(['BEN', 'dee'])
  })

  test('leaves no row of the previous one in the store (SPEC-78)', async () => {
    await upload(world.service, 'first.csv', csv([at('ada'), at('ben')]))
    await upload(world.service, 'second.csv', csv([at('cy')]))
    const { store } = world.service
    expect(await store.selectFrom('suggestions').select('email').execute()).toEqual([{ email: 'cy@home.example' }])
    expect(await store.selectFrom('suggestion_uploads').select('active').execute()).toEqual([{ active: 1 }])
  })

  test('that has no rows removes all', async () => {
    await upload(world.service, 'first.csv', csv([at('ada')]))
    const { result } = await upload(world.service, 'none.csv', csv([]))
    expect(result).toMatchObject({ totalCount: 0, importedCount: 0, removedCount: 1, errorLogs: [] })
    expect(await names()).toEqual([])
  })

  test('that is refused keeps the previous one', async () => {
    await upload(world.service, 'first.csv', csv([at('ada')]))
    const { body } = await upload(world.service, 'second.csv', 'EmailAddress\nben@home.example')
    expect(body.error).toBe('InvalidHeader')
    expect(await names()).toEqual(['ada'])
    expect(await world.service.store.selectFrom('suggestion_uploads').select('active').execute()).toHaveLength(1)
  })

  test.each([
    ['{"reference":"spring"}', 'list.csv', 'spring'],
    ['{"Reference":"spring"}', 'list.csv', 'spring'],
    ['{}', 'list.csv', 'list.csv'],
    ['{"reference":null}', 'list.csv', 'list.csv'],
    // As FormData writes them: %22, %0D and %0A. Other percent signs are those of the name.
    ['{}', 'the "new" list.csv', 'the "new" list.csv'],
    ['{}', 'two\nlines\r.csv', 'two\nlines\r.csv'],
    ['{}', '50%25%.csv', '50%25%.csv'],
    ['{}', `${'n'.repeat(200)}.csv`, 'n'.repeat(100)],
    ['{}', `${'n'.repeat(99)}😀.csv`, `${'n'.repeat(99)}😀`],
    ['{}', `${'n'.repeat(100)}😀.csv`, 'n'.repeat(100)],
  ])('with the data %s and the file name %s has the reference %s (SPEC-76)', async (data, name, reference) => {
    const before = new Date().toISOString()
    const { result } = await upload(world.service, name, csv([]), { data })
    expect(result.reference).toBe(reference)
    expect(result.dateTime).toMatch(/Z$/)
    expect(result.dateTime >= before).toBe(true)
  })

  test('creates no account (SPEC-80)', async () => {
    await upload(world.service, 'a.csv', csv([at('ada')]))
    expect(await world.call('GetAccount', { emailAddress: 'ada@home.example' })).toMatchObject({ isExisting: false })
  })

  test('concurrent with another: one is active in full, and the second is compared with it', async () => {
    const many = (name: string) => Array.from({ length: 700 }, (_, row) => at(`${name}${row}`))
    const both = await Promise.all([
      upload(world.service, 'a.csv', csv([at('shared'), ...many('a')])),
      upload(world.service, 'b.csv', csv([at('shared'), ...many('b')])),
    ])
    const counts = both.map(({ result: { importedCount, existedCount, removedCount } }) => ({
      importedCount,
      existedCount,
      removedCount,
    }))
    expect(counts).toContainEqual({ importedCount: 701, existedCount: 0, removedCount: 0 })
    expect(counts).toContainEqual({ importedCount: 700, existedCount: 1, removedCount: 700 })
    const last = counts.findIndex(({ removedCount }) => removedCount > 0) === 0 ? 'a' : 'b'
    const { totalItems } = await world.call('GetAccountSuggestions', { searchText: last })
    const { items } = await world.call('GetAccountSuggestions', { pageSize: 500, pageNo: 2 })
    expect(totalItems).toBeGreaterThanOrEqual(700)
    expect(items.every(({ emailAddress }) => emailAddress.startsWith(last))).toBe(true)
    expect(await world.service.store.selectFrom('suggestion_uploads').select('active').execute()).toHaveLength(1)
  })
})

describe('tenants', () => {
  useServiceWorld()

  test('have uploads of their own', async () => {
    await upload(world.service, 'a.csv', csv([at('ada'), at('both')]))
    const other = await upload(world.service, 'g.csv', csv([at('gil'), at('both')]), { client: 'globex' })
    expect(other.result).toMatchObject({ importedCount: 2, existedCount: 0, removedCount: 0 })
    expect(await names()).toEqual(['ada', 'both'])
    expect(await names('globex')).toEqual(['gil', 'both'])
    const found = await world.call('GetAccountSuggestions', { searchText: 'ada' }, 'globex')
    expect(found.totalItems).toBe(0)
  })

  test('can name their own pick up points only, and cannot distinguish others from unknown ones', async () => {
    const rows = ['square', 'Station Square', 'harbour', 'Harbour', 'nowhere'].map((PickUpPoint, row) => ({
      ...at(`user${row}`),
      PickUpPoint,
    }))
    const { result } = await upload(world.service, 'a.csv', csv(rows))
    expect(result.errorLogs.map(({ id }) => id)).toEqual([4, 5, 6])
    expect(new Set(result.errorLogs.map(({ message }) => message)).size).toBe(1)
    expect(result.importedCount).toBe(2)
  })
})

describe('GetAccountSuggestions', () => {
  useServiceWorld()

  const rows: Cells[] = [
    { ...at('ada'), FirstName: 'Ada', LastName: 'Lövelace', PhoneNumber: '0031612345678', LanguageCode: 'en-GB' },
    { ...at('ben'), FirstName: 'Ben', LastName: 'de Vries', Remarks: 'Lövelace', PickUpPoint: 'Station Square' },
    { ...at('cy'), FirstName: 'All', LastName: '100%' },
  ]

  beforeEach(async () => {
    await upload(world.service, 'a.csv', csv(rows))
  })

  test.each([
    ['', ['ada', 'ben', 'cy']],
    [null, ['ada', 'ben', 'cy']],
    ['LÖVE', ['ada']],
    ['lövelace ada', ['ada']],
    ['ada vries', []],
    ['ben de', ['ben']],
    ['home.example', ['ada', 'ben', 'cy']],
    ['BEN@HOME', ['ben']],
    ['100%', ['cy']],
    ['_', []],
    ['square', []],
  ])('finds by %j (SPEC-79): %j', async (searchText, found) => {
    const response = await world.call('GetAccountSuggestions', { searchText })
    expect(response.items.map(({ emailAddress }) => emailAddress)).toEqual(found.map(name => `${name}@home.example`))
    expect(response.totalItems).toBe(found.length)
  })

  test('returns the columns of the file, empty ones as null', async () => {
    const { items } = await world.call('GetAccountSuggestions', { searchText: 'ben' })
    expect(items).toEqual([
      {
        emailAddress: 'ben@home.example',
        phoneNumber: null,
        languageCode: null,
        firstName: 'Ben',
        lastName: 'de Vries',
        remarks: 'Lövelace',
        pickUpPoint: 'Station Square',
        userUid: null,
      },
    ])
  })

  test('names the account with the address if the tenant manages it', async () => {
    await upload(world.service, 'a.csv', csv([at('mine'), at('theirs'), at('nobody')]))
    const mine = await world.call('CreateAccount', { ...person, emailAddress: 'Mine@home.example' })
    const theirs = { ...person, emailAddress: 'theirs@home.example', pickUpPointUid: 'harbour' }
    await world.call('CreateAccount', theirs, 'globex')
    const { items } = await world.call('GetAccountSuggestions', {})
    expect(items.map(({ userUid }) => userUid)).toEqual([mine.userUid, null, null])
  })

  test('pages in the order of the file', async () => {
    const many = Array.from({ length: 7 }, (_, row) => at(`user${row}`))
    await upload(world.service, 'a.csv', csv(many))
    const response = await world.call('GetAccountSuggestions', { pageNo: 3, pageSize: 3 })
    expect(response).toMatchObject({ pageNo: 3, pageSize: 3, totalItems: 7, totalPages: 3 })
    expect(response.items.map(({ emailAddress }) => emailAddress)).toEqual(['user6@home.example'])
  })
})
