import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cells, csv, sheet, sheetOf, titles, upload } from '../../support/service/uploads.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

let world: ServiceWorld
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

const ada = {
  EmailAddress: 'ada@home.example',
  PhoneNumber: '+31612345678',
  LanguageCode: 'nl-NL',
  FirstName: 'Ada',
  LastName: 'Müller',
  Remarks: 'Zoë',
  PickUpPoint: 'square',
}
const header = titles.join(';')
const kept = async () => (await world.call('GetAccountSuggestions', {})).items

describe('these contain the same row', () => {
  const text = csv([ada])
  const shuffled = Object.entries(ada).reverse()
  test.each<[string, string, string | Uint8Array]>([
    ['CSV', 'a.csv', text],
    ['CSV with LF', 'a.csv', csv([ada], { lineEnd: '\n' })],
    ['CSV with a line end at its end', 'a.csv', `${text}\r\n`],
    ['CSV with a byte-order mark', 'a.csv', `\ufeff${text}`],
    ['CSV in Latin-1', 'A.CSV', Buffer.from(text, 'latin1')],
    ['CSV with quotes', 'a.csv', text.replaceAll(/[^;\r\n]+/g, '"$&"')],
    ['CSV with blanks', 'a.csv', text.replaceAll(';', ' ; ')],
    ['CSV with empty lines', 'a.csv', `${header}\r\n\r\n;;;;;;\r\n${text.slice(header.length + 2)}\r\n\r\n`],
    ['.xlsx', 'a.xlsx', sheet([ada])],
    ['.xls', 'a.xls', sheet([ada], 'biff8')],
    [
      'titles in another order',
      'a.csv',
      `${shuffled.map(([title]) => title).join(';')}\n${shuffled.map(([, v]) => v).join(';')}`,
    ],
    ['titles in another casing', 'a.csv', text.replace(header, header.toLowerCase())],
    ['a column more', 'a.csv', text.replace(header, `${header};Extra`).concat(';more')],
    [
      'a column more in the middle of a sheet',
      'a.xlsx',
      sheetOf([
        ['Extra', ...titles],
        ['', ...Object.values(ada)],
      ]),
    ],
  ])('%s', async (_, name, file) => {
    const { result } = await upload(world.service, name, file)
    expect(result).toMatchObject({ success: true, totalCount: 1, errorCount: 0, errorLogs: [] })
    expect(await kept()).toMatchObject([
      {
        ...Object.fromEntries(
          Object.entries(ada).map(([key, value]) => [key.charAt(0).toLowerCase() + key.slice(1), value]),
        ),
      },
    ])
  })
})

test('a quoted cell can have the separator, a quotation mark and a line end', async () => {
  const remark = '"a;b ""c""\nd"'
  const file = `${header}\nada@home.example;;;;;${remark};\nbad;;;;;;`
  const { result } = await upload(world.service, 'a.csv', file)
  expect(result.errorLogs.map(({ id }) => id)).toEqual([3])
  expect(await kept()).toMatchObject([{ remarks: 'a;b "c"\nd' }])
})

test('a stray quotation mark is part of its cell', async () => {
  await upload(world.service, 'a.csv', csv([{ ...ada, Remarks: 'called "Ada"' }]))
  expect(await kept()).toMatchObject([{ remarks: 'called "Ada"' }])
})

test('numbers of a sheet are read as they are stored', async () => {
  const file = sheetOf([[...titles], ['ada@home.example', '', '', 'Ada', 1815, true, '']])
  await upload(world.service, 'a.xlsx', file)
  expect(await kept()).toMatchObject([{ firstName: 'Ada', lastName: '1815', remarks: 'true' }])
})

describe('a row is refused for', () => {
  const rows: [string, Cells, string][] = [
    ['no address', { ...ada, EmailAddress: '' }, 'EmailAddress is missing'],
    ['an invalid address', { ...ada, EmailAddress: 'ada' }, 'EmailAddress: '],
    ['a phone number that is not international', { ...ada, PhoneNumber: '0612345678' }, 'PhoneNumber: '],
    ['letters in a phone number', { ...ada, PhoneNumber: '+31 phone' }, 'PhoneNumber: '],
    ['an invalid language', { ...ada, LanguageCode: 'dutch' }, 'LanguageCode: '],
    ['a pick up point that is unknown', { ...ada, PickUpPoint: 'nowhere' }, 'PickUpPoint '],
    ['a name that is too long', { ...ada, FirstName: 'a'.repeat(101) }, 'FirstName: '],
    ['remarks that are too long', { ...ada, Remarks: 'a'.repeat(1_001) }, 'Remarks: '],
  ]
  test.each(rows)('%s', async (_, row, message) => {
    for (const [name, file] of [
      ['a.csv', csv([ada, {}, row])],
      ['a.xlsx', sheet([ada, {}, row])],
    ] as const) {
      const { result } = await upload(world.service, name, file)
      expect(result).toMatchObject({ totalCount: 2, errorCount: 1 })
      expect(result.errorLogs).toEqual([{ id: 4, message: expect.stringContaining(message) }])
    }
  })

  test('several errors, all of which are reported', async () => {
    const { result } = await upload(world.service, 'a.csv', csv([{ EmailAddress: 'x', PhoneNumber: '1' }]))
    expect(result.errorLogs[0]?.message).toMatch(/EmailAddress: .*; PhoneNumber: /)
  })

  test.each([
    ['too many', 'ada@home.example;;;;;;;more', 'The row must have 7 columns, not 8.'],
    ['too few', 'ada@home.example;;', 'The row must have 7 columns, not 3.'],
  ])('%s columns', async (_, row, message) => {
    const { result } = await upload(world.service, 'a.csv', `${header}\n${row}\nben@home.example;;;;;;`)
    expect(result).toMatchObject({ totalCount: 2, errorCount: 1, errorLogs: [{ id: 2, message }] })
  })

  test('an address that a later good row has, in any casing', async () => {
    const rows = [ada, { ...ada, EmailAddress: 'ADA@home.example', FirstName: 'Later' }, { ...ada, PhoneNumber: '1' }]
    const { result } = await upload(world.service, 'a.csv', csv(rows))
    expect(result).toMatchObject({ totalCount: 3, errorCount: 2 })
    expect(result.errorLogs).toEqual([
      { id: 2, message: 'EmailAddress must be unique; row 3 repeats it.' },
      { id: 4, message: expect.stringContaining('PhoneNumber') },
    ])
    expect(await kept()).toMatchObject([{ firstName: 'Later' }])
  })
})

describe('a file is refused as', () => {
  const xlsx = sheet([ada])
  const xls = sheet([ada], 'biff8')
  test.each<[string, string, string, string | Uint8Array]>([
    ['InvalidHeader', 'without a column', 'a.csv', header.replace(';Remarks', '')],
    ['InvalidHeader', 'with a column twice', 'a.csv', `${header};remarks`],
    ['InvalidHeader', 'with commas', 'a.csv', titles.join(',')],
    ['InvalidHeader', 'of blanks', 'a.csv', '\n \n'],
    ['InvalidHeader', 'of an empty sheet', 'a.xlsx', sheetOf([[]])],
    ['InvalidHeader', 'of a million columns', 'a.csv', `${header}${';'.repeat(60_000)}`],
    ['InvalidImportType', 'named .txt', 'a.txt', csv([ada])],
    ['InvalidImportType', 'without an ending', 'a', csv([ada])],
    ['InvalidImportType', 'a text named .xlsx', 'a.xlsx', csv([ada])],
    ['InvalidImportType', 'a web page named .xls', 'a.xls', '<html><table></table></html>'],
    ['InvalidImportType', '.xlsx named .csv', 'a.csv', xlsx],
    ['InvalidImportType', '.xlsx named .xls', 'a.xls', xlsx],
    ['InvalidImportType', '.xls named .xlsx', 'a.xlsx', xls],
    ['InvalidImportType', '.xlsb named .xlsx', 'a.xlsx', sheetOf([[...titles]], 'xlsb')],
    ['InvalidImportType', '.ods named .xlsx', 'a.xlsx', sheetOf([[...titles]], 'ods')],
    ['InvalidImportType', 'in UTF-16', 'a.csv', Buffer.from(`\ufeff${csv([ada])}`, 'utf16le')],
    ['InvalidImportType', 'half an .xlsx', 'a.xlsx', xlsx.subarray(0, xlsx.length / 2)],
    ['InvalidImportType', 'the first bytes of an .xls', 'a.xls', xls.subarray(0, 600)],
    ['InvalidImportType', 'an .xlsx with holes', 'a.xlsx', Buffer.from(xlsx).fill(0, 100, xlsx.length - 400)],
    ['InvalidRequest', 'a quotation without an end', 'a.csv', `${header}\n"ada;;;;;;\nben;;;;;;\n`],
  ])('%s: %s', async (error, _, name, file) => {
    const { status, body } = await upload(world.service, name, file)
    expect({ status, error: body.error }).toEqual({ status: error === 'InvalidRequest' ? 400 : 200, error })
    expect(body).toMatchObject({ success: false, message: expect.any(String) })
  })

  test('a defined error, wherever an .xls is truncated or damaged', async () => {
    for (let part = 1; part < 6; part++) {
      const at = Math.floor((xls.length * part) / 6)
      const damaged = Buffer.from(xls).fill(part * 40, at - 64, at)
      for (const file of [xls.subarray(0, at), damaged]) {
        const { status, body } = await upload(world.service, 'a.xls', file)
        expect({ status, error: body.error }).toMatchObject({ status: 200 })
        expect([null, 'InvalidImportType', 'InvalidHeader']).toContain(body.error)
      }
    }
  })
})
