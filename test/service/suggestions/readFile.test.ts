import { hash } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type ReadRows, readRows } from '../../support/service/uploadedFile.ts'
import { type Cells, csv, sheet, sheetOf, sheetsOf, titles } from '../../support/service/uploads.ts'
import { archive, aroundSheet, packed, sheetName, sheetXml } from '../../support/service/zipArchive.ts'

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
const headerCells = Object.fromEntries(titles.map((title, at) => ['ABCDEFG'.charAt(at), title]))

describe('these contain the same row (SPEC-77)', () => {
  const text = csv([ada])
  const hidden = [[...titles], ['hidden@home.example']]
  const sheets = [hidden, hidden, [[...titles], Object.values(ada)], hidden]
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
    ['.xlsx below hidden sheets', 'a.xlsx', sheetsOf(sheets, 'xlsx', [1, 2])],
    ['.xls below hidden sheets', 'a.xls', sheetsOf(sheets, 'biff8', [1, 2])],
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
    expect(await readRows(name, file)).toEqual({ rows: [ada], errorCount: 0, errorLogs: [] })
  })
})

test('a quoted cell can have the separator, a quotation mark and a line end', async () => {
  const remark = '"a;b ""c""\nd"'
  const file = `${header}\nada@home.example;;;;;${remark};\nbad;;;;;;`
  const { rows, errorLogs } = await readRows('a.csv', file)
  expect(errorLogs.map(({ id }) => id)).toEqual([3])
  expect(rows).toMatchObject([{ Remarks: 'a;b "c"\nd' }])
})

test.each(['sep=;', '\ufeffsep=;', '"SEP=;"'])('the line %j is no row, as in Excel', async line => {
  const read = await readRows('a.csv', `${line}\r\n${csv([ada, { EmailAddress: 'none' }])}`)
  expect(read).toMatchObject({ rows: [ada], errorLogs: [{ id: 3 }] })
})

test('a stray quotation mark is part of its cell', async () => {
  const { rows } = await readRows('a.csv', csv([{ ...ada, Remarks: 'called "Ada"' }]))
  expect(rows).toMatchObject([{ Remarks: 'called "Ada"' }])
})

test('numbers of a sheet are read as they are stored', async () => {
  const file = sheetOf([[...titles], ['ada@home.example', '', '', 'Ada', 1815, true, '']])
  const { rows } = await readRows('a.xlsx', file)
  expect(rows).toMatchObject([{ FirstName: 'Ada', LastName: '1815', Remarks: 'true' }])
})

describe('a row is refused for (SPEC-82)', () => {
  const rows: [string, Cells, string][] = [
    ['no address', { ...ada, EmailAddress: '' }, 'EmailAddress is missing'],
    ['an invalid address', { ...ada, EmailAddress: 'ada' }, 'EmailAddress: '],
    ['a phone number that is not international', { ...ada, PhoneNumber: '0612345678' }, 'PhoneNumber: '],
    ['a phone number of three digits', { ...ada, PhoneNumber: '+480' }, 'PhoneNumber: '],
    ['a country code that begins with 0', { ...ada, PhoneNumber: '+0000000000' }, 'PhoneNumber: '],
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
      const errorLogs = [{ id: 4, message: expect.stringContaining(message) }]
      expect(await readRows(name, file)).toEqual({ rows: [ada], errorCount: 1, errorLogs })
    }
  })

  test('several errors, all of which are reported', async () => {
    const { errorLogs } = await readRows('a.csv', csv([{ EmailAddress: 'x', PhoneNumber: '1' }]))
    expect(errorLogs[0]?.message).toMatch(/EmailAddress: .*; PhoneNumber: /)
  })

  test.each([
    ['too many', 'ada@home.example;;;;;;;more', 'The row must have 7 columns, not 8.'],
    ['too few', 'ada@home.example;;', 'The row must have 7 columns, not 3.'],
  ])('%s columns', async (_, row, message) => {
    const read = await readRows('a.csv', `${header}\n${row}\nben@home.example;;;;;;`)
    const rows = [{ EmailAddress: 'ben@home.example' }]
    expect(read).toMatchObject({ rows, errorCount: 1, errorLogs: [{ id: 2, message }] })
  })

  test('an address that a later row has, but not two different ones with the same hash', async () => {
    const [one, other] = ['person.65155@home.example', 'person.84935@home.example'] as const
    const firstBytes = (address: string) => hash('sha1', address).slice(0, 8)
    expect(firstBytes(one)).toBe(firstBytes(other))
    const rows = [one, other, other, one].map(EmailAddress => ({ ...ada, EmailAddress }))
    expect(await readRows('a.csv', csv(rows))).toMatchObject({
      rows: [{ EmailAddress: other }, { EmailAddress: one }],
      errorCount: 2,
      errorLogs: [
        { id: 2, message: 'EmailAddress must be unique; row 5 repeats it.' },
        { id: 3, message: 'EmailAddress must be unique; row 4 repeats it.' },
      ],
    })
  })

  test('an address that a later good row has, in any casing (SPEC-81)', async () => {
    const rows = [ada, { ...ada, EmailAddress: 'ADA@home.example', FirstName: 'Later' }, { ...ada, PhoneNumber: '1' }]
    expect(await readRows('a.csv', csv(rows))).toMatchObject({
      rows: [{ FirstName: 'Later' }],
      errorCount: 2,
      errorLogs: [
        { id: 2, message: 'EmailAddress must be unique; row 3 repeats it.' },
        { id: 4, message: expect.stringContaining('PhoneNumber') },
      ],
    })
  })
})

/** Reads an .xlsx file with one row, whose cell F2 has this XML. */
function readRemarks(cell: string): Promise<ReadRows> {
  const row = `<row r="2"><c r="A2" t="inlineStr"><is><t>ada@home.example</t></is></c>${cell}</row>`
  const xml = sheetXml({ 1: headerCells }).replace('</sheetData>', `${row}</sheetData>`)
  return readRows('a.xlsx', archive([...aroundSheet, packed(sheetName, xml)]))
}

describe('a cell with an error value', () => {
  const broken = { t: 'e', v: 42 }
  const cells = [
    [...titles, 'Extra'],
    ['ada@home.example', '', '', 'Ada', '', '', '', broken],
    ['ben@home.example', broken, '', broken, '', '', '', ''],
    [broken, '', '', '', '', '', '', ''],
  ]

  test.each(['xlsx', 'biff8'] as const)('makes its row an error, except in an unknown column: %s', async type => {
    const name = type === 'xlsx' ? 'a.xlsx' : 'a.xls'
    expect(await readRows(name, sheetOf(cells, type))).toMatchObject({
      rows: [{ EmailAddress: 'ada@home.example', FirstName: 'Ada' }],
      errorCount: 2,
      errorLogs: [
        {
          id: 3,
          message:
            'PhoneNumber must not be an error value such as #N/A; FirstName must not be an error value such as #N/A.',
        },
        { id: 4, message: 'EmailAddress must not be an error value such as #N/A.' },
      ],
    })
  })

  test('is recognised when the parser does not know it', async () => {
    const { errorLogs } = await readRemarks('<c r="F2" t="e"><v>#SPILL!</v></c>')
    expect(errorLogs).toEqual([{ id: 2, message: 'Remarks must not be an error value such as #N/A.' }])
  })
})

test.each([
  ['<c r="F2"><f>A1</f></c>', false],
  ['<c r="F2"><f>A1</f><v/></c>', false],
  ['<c r="F2" t="str"><f>A1</f></c>', false],
  ['<c r="F2" t="str"><f>A1</f><v></v></c>', true],
  ['<c r="F2"><f>A1</f><v>0</v></c>', true],
])('a formula makes its row an error unless its value is stored: %s', async (cell, isStored) => {
  const message =
    'Remarks must not be a formula without a stored value: open the file in a spreadsheet program and save it.'
  expect((await readRemarks(cell)).errorLogs).toEqual(isStored ? [] : [{ id: 2, message }])
})

describe('the parts of an .xlsx have any names', () => {
  const xml = sheetXml({ 1: headerCells, 2: { A: 'ada@home.example' } })
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const strict = 'http://purl.oclc.org/ooxml/officeDocument/relationships'
  const relation = (id: string, type: string, target: string, rest = '') =>
    `<Relationship Target="${target}" Type="${type}" Id="${id}"${rest}/>`
  const relations = (...elements: string[]) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${elements.join('')}</Relationships>`
  const book = (...sheets: string[]) => `<workbook xmlns:q="${office}"><sheets>${sheets.join('')}</sheets></workbook>`

  test.each<[string, Readonly<Record<string, string>>]>([
    [
      'in another folder',
      {
        '_rels/.rels': relations(relation('a', `${office}/officeDocument`, 'book/main.xml')),
        'book/_rels/main.xml.rels': relations(relation('b', `${office}/worksheet`, 'pages/one.xml')),
        'book/main.xml': book('<sheet name="a" sheetId="7" q:id="b"/>'),
        'book/pages/one.xml': xml,
      },
    ],
    [
      'in the root, by absolute references, in the strict format',
      {
        '_rels/.rels': relations(relation('a', `${strict}/officeDocument`, '/workbook.xml')),
        '_rels/workbook.xml.rels': relations(relation('b', `${strict}/worksheet`, '/data/sheet%20one.xml')),
        'workbook.xml': book('<sheet name="a&gt;b" sheetId="7" q:id="b"/>'),
        'data/sheet one.xml': xml,
      },
    ],
    [
      'in another casing, with prefixed elements and single quotes',
      {
        '_rels/.rels': relations(relation('a', `${office}/officeDocument`, 'XL/Workbook.xml')),
        'xl/_rels/workbook.xml.rels': relations(relation('b', `${office}/worksheet`, '../xl/worksheets/Sheet1.xml')),
        'xl/workbook.xml': `<x:workbook><x:sheets><x:sheet name='a>b' q:id='b' /></x:sheets></x:workbook>`,
        'xl/worksheets/sheet1.xml': xml,
      },
    ],
    [
      'with a chart and an external reference before the first sheet',
      {
        '_rels/.rels': relations(
          relation('x', `${office}/officeDocument`, 'https://home.example/book.xml', ' TargetMode="External"'),
          relation('a', `${office}/officeDocument`, 'xl/workbook.xml'),
        ),
        'xl/_rels/workbook.xml.rels': relations(
          relation('b', `${office}/worksheet`, 'b.xml'),
          relation('c', `${office}/chartsheet`, 'c.xml'),
          relation('d', `${office}/worksheet`, 'd.xml'),
        ),
        'xl/workbook.xml': book('<sheet q:id="c"/>', '<sheet q:id="d"/>', '<sheet q:id="b"/>'),
        'xl/d.xml': xml,
        'xl/b.xml': sheetXml({ 1: { A: 'none' } }),
      },
    ],
    [
      'with shared strings',
      {
        '_rels/.rels': relations(relation('a', `${office}/officeDocument`, 'xl/workbook.xml')),
        'xl/_rels/workbook.xml.rels': relations(
          relation('b', `${office}/worksheet`, 'sheet.xml'),
          relation('t', `${office}/sharedStrings`, 'texts/all.xml'),
        ),
        'xl/workbook.xml': book('<sheet q:id="b"/>'),
        'xl/sheet.xml': xml.replace('t="inlineStr"><is><t>ada@home.example</t></is>', 't="s"><v>1</v>'),
        'xl/texts/all.xml': '<sst><si><t>no</t></si><si><t>ada@home.example</t></si></sst>',
      },
    ],
  ])('%s', async (_, parts) => {
    const file = archive(Object.entries(parts).map(([name, text]) => packed(name, text)))
    expect(await readRows('a.xlsx', file)).toMatchObject({
      rows: [{ EmailAddress: 'ada@home.example' }],
      errorCount: 0,
    })
  })

  test.each([
    ['a relation is missing', '_rels/.rels', relations()],
    ['a part is missing', '_rels/.rels', relations(relation('a', `${office}/officeDocument`, 'xl/other.xml'))],
    ['the reference is invalid', '_rels/.rels', relations(relation('a', `${office}/officeDocument`, 'http://[%'))],
    ['no sheet is named', 'xl/workbook.xml', book()],
  ])('and it is refused when %s', async (_, name, text) => {
    const others = aroundSheet.filter(part => part.name !== name)
    const file = archive([...others, packed(name, text), packed(sheetName, xml)])
    await expect(readRows('a.xlsx', file)).rejects.toMatchObject({ code: 'InvalidImportType' })
  })
})

describe('a file is refused as (SPEC-99)', () => {
  const xlsx = sheet([ada])
  const xls = sheet([ada], 'biff8')
  test.each<[string, string, string, string | Uint8Array]>([
    ['InvalidHeader', 'without a column', 'a.csv', header.replace(';Remarks', '')],
    ['InvalidHeader', 'with a column twice', 'a.csv', `${header};remarks`],
    ['InvalidHeader', 'with commas', 'a.csv', titles.join(',')],
    ['InvalidHeader', 'of blanks', 'a.csv', '\n \n'],
    ['InvalidHeader', 'of an empty sheet', 'a.xlsx', sheetOf([[]])],
    ['InvalidHeader', '.xlsx whose first sheet is empty', 'a.xlsx', sheetsOf([[], [[...titles]]], 'xlsx')],
    ['InvalidHeader', '.xls whose first sheet is empty', 'a.xls', sheetsOf([[], [[...titles]]], 'biff8')],
    ['InvalidHeader', '.xlsx whose sheets are hidden', 'a.xlsx', sheetsOf([[[...titles]]], 'xlsx', [1])],
    ['InvalidHeader', '.xls whose sheets are hidden', 'a.xls', sheetsOf([[[...titles]]], 'biff8', [2])],
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
    ['InvalidHeader', 'a quotation in the header without an end', 'a.csv', `"${header}\nada;;;;;;\n`],
  ])('%s: %s', async (code, _, name, file) => {
    await expect(readRows(name, file)).rejects.toMatchObject({ code, message: expect.any(String) })
  })

  const title = 'People\u202e of\u0007\n2026'
  test.each<[string, string, string | Uint8Array]>([
    [
      'The file must have the columns .*; CSV columns are separated by semicolons. Its first row is "sep=,".',
      'a.csv',
      `sep=,\n${header}`,
    ],
    [
      'The sheet "Sheet1" must have the columns [^;]*. Its first row is "People of 2026;b".',
      'a.xlsx',
      sheetOf([[title, 'b'], [...titles]]),
    ],
    [
      'The sheet "Sheet2" must have the columns [^;]*. Its first row is "a{100}…".',
      'a.xls',
      sheetsOf([[], [['a'.repeat(101)]]], 'biff8', [1]),
    ],
    ['The sheet "Sheet1" must have a header. It is empty.', 'a.xlsx', sheetOf([[]])],
    [
      'The sheet "Sheet1" must not repeat the columns Remarks. Its first row is "Email.*',
      'a.xls',
      sheetOf([[...titles, 'remarks']], 'biff8'),
    ],
  ])('InvalidHeader, and what was read: %s', async (message, name, file) => {
    const matching = expect.stringMatching(new RegExp(`^${message}$`))
    await expect(readRows(name, file)).rejects.toMatchObject({ code: 'InvalidHeader', message: matching })
  })

  test('a defined error, wherever an .xls is truncated or damaged', async () => {
    // The parser of .xls prints what it does not know.
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    onTestFinished(() => printed.mockRestore())
    for (let part = 1; part < 6; part++) {
      const at = Math.floor((xls.length * part) / 6)
      const damaged = Buffer.from(xls).fill(part * 40, at - 64, at)
      for (const file of [xls.subarray(0, at), damaged]) {
        const error = await readRows('a.xls', file).then(
          () => null,
          ({ code }) => code,
        )
        expect([null, 'InvalidImportType', 'InvalidHeader']).toContain(error)
      }
    }
  })
})
