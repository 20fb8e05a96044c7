import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type UploadLimits, uploadLimits } from '../../../service/suggestions/index.ts'
import { openFile } from '../../../service/suggestions/reading/fileBytes.ts'
import type { RawRow } from '../../../service/suggestions/reading/rows.ts'
import { sortTexts } from '../../../service/suggestions/reading/sortTexts.ts'
import { createTexts } from '../../../service/suggestions/reading/texts.ts'
import { openXlsx } from '../../../service/suggestions/reading/xlsx.ts'
import { temporaryFolder } from '../../support/service/temporaryStore.ts'
import { archive, aroundSheet, type PackedFile, packed, sheetName } from '../../support/service/zipArchive.ts'

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const bookRelations = 'xl/_rels/workbook.xml.rels'
const strings = (xml: string): PackedFile[] => [
  packed(
    bookRelations,
    `<Relationships><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${office}/sharedStrings" Target="texts.xml"/></Relationships>`,
  ),
  packed('xl/texts.xml', `<sst>${xml}</sst>`),
]
const sheet = (rows: string, around = (xml: string) => xml) =>
  packed(sheetName, around(`<worksheet><sheetData>${rows}</sheetData><extLst><row/></extLst></worksheet>`))

async function read(files: readonly PackedFile[], limits: Partial<UploadLimits> = {}) {
  const own = new Set(files.map(({ name }) => name))
  const file = archive([...aroundSheet.filter(({ name }) => !own.has(name)), ...files])
  const path = join(temporaryFolder(), 'a.xlsx')
  writeFileSync(path, file)
  const descriptor = openSync(path, 'r')
  const rows: RawRow[] = []
  try {
    const table = await openXlsx(openFile(descriptor), { ...uploadLimits, ...limits })
    for await (const row of table.rows) rows.push(row)
  } finally {
    closeSync(descriptor)
  }
  return rows
}

describe('a cell', () => {
  test.each([
    ['a shared string', '<c t="s"><v>1</v></c>', 'b'],
    ['a shared string of several runs, without its pronunciation', '<c t="s"><v>2</v></c>', 'Ada Lovelace'],
    ['a text of its own', '<c t="inlineStr"><is><t>a</t><rPh><t>x</t></rPh></is></c>', 'a'],
    ['the result of a formula', '<c t="str"><f>A1&amp;"x"</f><v>a&lt;&#98;</v></c>', 'a<b'],
    ['a number in any notation', '<c><v>3.1612345678E10</v></c>', '31612345678'],
    ['a truth value', '<c t="b"><v>0</v></c>', 'false'],
    ['a date in text', '<c t="d"><v>2026-11-22</v></c>', '2026-11-22'],
    ['an escaped character', '<c t="str"><v>a_x000A_b_x005F_</v></c>', 'a\nb_'],
    ['characters around it that are blank', '<c t="str"><v xml:space="preserve"> a </v></c>', 'a'],
    ['a section of characters', '<c t="str"><v><![CDATA[<a>]]></v></c>', '<a>'],
  ])('is read as %s', async (_, cell, text) => {
    const texts = strings(
      '<si><t>a</t></si><si><t>b</t></si><si><r><t>Ada </t></r><r><t>Lovelace</t></r><rPh><t>x</t></rPh></si>',
    )
    const rows = await read([...texts, sheet(`<row>${cell}</row>`)])
    expect(rows).toEqual([{ row: 1, cells: [text], exact: false, errors: [] }])
  })

  test('is at its reference, or after the one before it; empty ones count as nothing', async () => {
    const cell = (attributes: string) => `<c t="str"${attributes}><v>x</v></c>`
    const rows = await read(
      [sheet(`<row r="3">${cell('')}${cell(' r="D3"')}${cell('')}<c r="XFD3" s="4"/></row><row/>`)],
      { columns: 5 },
    )
    expect(rows).toEqual([
      { row: 3, cells: ['x', '', '', 'x', 'x'], exact: false, errors: [] },
      { row: 4, cells: [], exact: false, errors: [] },
    ])
  })
})

describe('a sheet is refused', () => {
  const cell = (text: string) => `<row><c t="str"><v>${text}</v></c></row>`
  test.each<[string, PackedFile[]]>([
    ['with a document type', [sheet(cell('a'), xml => `<!DOCTYPE a [<!ENTITY b "c">]>${xml}`)]],
    ['with an entity of its own', [sheet(cell('&b;'))]],
    ['that is not well-formed', [sheet('<row><c></row>')]],
    ['without an end', [sheet(cell('a'), xml => xml.slice(0, -20))]],
    ['in another encoding', [packed(sheetName, Buffer.from('<worksheet>\xe9</worksheet>', 'latin1'))]],
    ['whose rows are not in order', [sheet('<row r="2"/><row r="2"/>')]],
    ['with an invalid reference of a cell', [sheet('<row><c r="A"/></row>')]],
    ['with a text that is missing', [...strings('<si><t>a</t></si>'), sheet('<row><c t="s"><v>1</v></c></row>')]],
    ['with a text without an end', [sheet(cell('a'.repeat(400_000)))]],
    ['with shared strings that are damaged', [...strings('<si>'), sheet(cell('a'))]],
  ])('%s', async (_, files) => {
    await expect(read(files)).rejects.toMatchObject({ code: 'InvalidImportType' })
  })

  test('with more cells than the limit', async () => {
    await expect(read([sheet('<row><c/><c/><c/></row>')], { cells: 2 })).rejects.toMatchObject({
      code: 'InvalidRequest',
    })
  })

  test('whose shared strings unpack to more than the limit together with it', async () => {
    const files = [...strings(`<si><t>${'a'.repeat(5_000)}</t></si>`), sheet(cell('a'.repeat(5_000)))]
    expect(await read(files, { unpackedBytes: 12_000 })).toHaveLength(1)
    await expect(read(files, { unpackedBytes: 10_000 })).rejects.toMatchObject({ code: 'InvalidRequest' })
  })
})

describe('a part that describes others is read in linear time', () => {
  const named = (name: string, xml: string): PackedFile[] => [packed(name, xml), sheet('<row/>')]
  const relations = (count: number) =>
    named(bookRelations, `<Relationships>${'<Relationship Id="r" Type="a"/>'.repeat(count)}</Relationships>`)
  const sheets = (count: number) => packed('xl/workbook.xml', `<workbook>${'<sheet id="s"/>'.repeat(count)}</workbook>`)
  test.each<[string, PackedFile[]]>([
    ['with elements that have no end', named('xl/workbook.xml', '<sheet '.repeat(50_000))],
    ['with elements whose quotations have no end', named('xl/workbook.xml', '<sheet "'.repeat(50_000))],
    ['with a long name of an attribute', named('xl/workbook.xml', `<sheet ${'a'.repeat(200_000)}/>`)],
    ['with many sheets and relations', [...relations(50_000), sheets(100_000)]],
  ])('%s', async (_, files) => {
    const { user } = process.threadCpuUsage()
    await expect(read(files)).rejects.toMatchObject({ code: 'InvalidImportType' })
    expect(process.threadCpuUsage().user - user).toBeLessThan(3_000_000)
  })
})

test('texts are kept as they are, and sorted by their units', () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 200 }), given => {
      const texts = createTexts(1_024)
      const sorting = sortTexts()
      const places = given.map(one => texts.push(one))
      for (const one of given) sorting.add(one)
      expect(places.map(place => texts.at(place))).toEqual(given)
      expect([...sorting.sorted()]).toEqual(given.toSorted())
      expect([...texts.drain()]).toEqual(given)
      expect(() => texts.at(0)).toThrow(RangeError)
    }),
    { numRuns: 30 },
  )
})
