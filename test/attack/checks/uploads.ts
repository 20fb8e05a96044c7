import { doesNotMatch, equal } from 'node:assert/strict'
import { crc32, deflateRawSync } from 'node:zlib'
import { describe, test } from 'vitest'
import type { HttpResponse } from '../http.ts'
import { pathOf } from '../operations.ts'
import { expectEnvelope, expectRefused, expectSuccess, type Scene } from '../scene.ts'

const header = 'EmailAddress;PhoneNumber;LanguageCode;FirstName;LastName;Remarks;PickUpPoint'
const boundary = 'attack-boundary'
const megabyte = 1_024 * 1_024

interface Part {
  readonly name: string
  readonly fileName?: string
  readonly content: string | Uint8Array
}

/** A multipart body; names are written as they are. */
function multipart(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, fileName, content }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`
    return [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]
  })
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])
}

/** A zip file; each entry is compressed from its content. */
function zip(entries: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(entries)) {
    const content = Buffer.from(text)
    const packed = deflateRawSync(content)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(content.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    const entry = [Buffer.from('PK\x01\x02\x14\0', 'latin1'), fields, tail, Buffer.from(name)]
    locals.push(local)
    directory.push(Buffer.concat(entry))
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, central, end])
}

const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const declaration = '<?xml version="1.0" encoding="UTF-8"?>'

/** A workbook with one sheet. */
function workbook(sheet: string, prologue = ''): Buffer {
  return zip({
    '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    '_rels/.rels': `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relation}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/_rels/workbook.xml.rels': `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relation}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/workbook.xml': `${declaration}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${relation}"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/worksheets/sheet1.xml': `${declaration}${prologue}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${sheet}</sheetData></worksheet>`,
  })
}

const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const titles = `<row>${header.split(';').map(cell).join('')}</row>`
const entities = '<!DOCTYPE a [<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY b "bbbbbbbbbb">]>'

/** Spreadsheets that make a naive reader allocate, follow or execute. None may end in a success with their content. */
const hostile: Readonly<Record<string, () => { readonly fileName: string; readonly content: Buffer }>> = {
  'a sheet of 150 MB in 500 kB': () => ({
    fileName: 'bomb.xlsx',
    content: workbook(titles + `<row>${cell('a'.repeat(500))}</row>`.repeat(300_000)),
  }),
  'a sheet name that leaves the folder': () => ({
    fileName: 'a.xlsx',
    content: zip({ '../../../../tmp/evil': 'a', '/etc/evil': 'a' }),
  }),
  'a zip of three thousand files': () => ({
    fileName: 'a.xlsx',
    content: zip(Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`f${index}`, 'a']))),
  }),
  'a truncated zip': () => ({ fileName: 'a.xlsx', content: workbook(titles).subarray(0, 200) }),
  'a program': () => ({ fileName: 'a.xlsx', content: Buffer.from('\x7fELF\x02\x01\x01', 'latin1') }),
  'an old spreadsheet of random bytes': () => ({
    fileName: 'a.xls',
    content: Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(100_000, 0x41)]),
  }),
}

/** Registers the checks on uploaded files (specification, UploadAccountSuggestions). */
export function uploadChecks(scene: () => Scene): void {
  const post = (body: Uint8Array, type = `multipart/form-data; boundary=${boundary}`): Promise<HttpResponse> =>
    scene().attacker.post(pathOf('UploadAccountSuggestions'), body, { headers: { 'content-type': type } })
  const upload = (fileName: string, content: string | Uint8Array, data = '{}') =>
    post(
      multipart([
        { name: 'data', content: data },
        { name: 'file', fileName, content },
      ]),
    )

  describe('a hostile file is refused, and the service goes on', () => {
    test.each(Object.entries(hostile))('%s', async (_name, create) => {
      const { fileName, content } = create()
      const response = await upload(fileName, content)
      expectEnvelope(response)
      equal(response.json.success, false, response.text)
      expectSuccess(await scene().attacker.call('GetPickUpPoints', {}))
    })

    test('external entities are not read', async () => {
      const row = `<row>${cell('&file;')}</row><row>${cell('xxe@mail.example')}${cell('')}${cell('')}${cell('&file;')}</row>`
      const response = await upload('a.xlsx', workbook(titles + row, entities))
      expectEnvelope(response)
      doesNotMatch(response.text, /root:/)
      doesNotMatch((await scene().attacker.call('GetAccountSuggestions', { searchText: 'xxe' })).text, /root:/)
    })
  })

  describe('a hostile request is refused', () => {
    const file = { name: 'file', fileName: 'a.csv', content: header }
    const cases: Readonly<Record<string, () => Buffer>> = {
      'a thousand parts': () =>
        multipart(Array.from({ length: 1_000 }, (_, index) => ({ name: `p${index}`, content: 'a' }))),
      'a data part of one megabyte': () =>
        multipart([{ name: 'data', content: `{"reference":"${'a'.repeat(megabyte)}"}` }, file]),
      'nested data': () => multipart([{ name: 'data', content: '{"a":'.repeat(5_000) }, file]),
      'two files': () => multipart([{ name: 'data', content: '{}' }, file, file]),
      'no end': () => multipart([{ name: 'data', content: '{}' }, file]).subarray(0, 200),
      'a part name of ten kilobytes': () => multipart([{ name: 'a'.repeat(10_000), content: '{}' }, file]),
    }
    test.each(Object.entries(cases))('%s', async (_name, create) => {
      const response = await post(create())
      expectEnvelope(response)
      equal(response.json.success, false, response.text)
    })

    test('a file above the limit is RequestTooLarge', async () => {
      expectRefused(await upload('a.csv', Buffer.alloc(11 * megabyte, 0x61)), 413, 'RequestTooLarge')
    })

    test.each(['no boundary', 'application/json'])('%s', async kind => {
      const type = kind === 'no boundary' ? 'multipart/form-data' : kind
      const response = await post(multipart([file]), type)
      expectEnvelope(response)
      equal(response.status >= 400, true, response.text)
    })
  })

  test.each([
    '../../../etc/passwd.csv',
    '/etc/cron.d/a.csv',
    'a\\..\\b.csv',
    '%2e%2e%2fa.csv',
    'a.csv%00.xlsx',
    "';drop.csv",
  ])('the file name %s stays a name', async fileName => {
    const response = await upload(fileName, `${header}\r\nname@mail.example;;;A;B;;`)
    expectEnvelope(response)
  })

  test('formulas are stored as text', async () => {
    const formula = '=HYPERLINK("http://evil.example")'
    expectSuccess(await upload('a.csv', `${header}\r\nformula@mail.example;;;${formula.replaceAll('"', '')};B;;`))
    const found = expectSuccess(await scene().attacker.call('GetAccountSuggestions', { searchText: 'formula' }))
    const [item] = found.items as { firstName: string }[]
    equal(item?.firstName, formula.replaceAll('"', ''))
  })

  test('suggestions of one tenant are not found by another', async () => {
    expectSuccess(await upload('a.csv', `${header}\r\nonlymine@mail.example;;;Only;Mine;;`))
    const search = { searchText: 'onlymine', pageNo: 1, pageSize: 10 }
    equal((expectSuccess(await scene().attacker.call('GetAccountSuggestions', search)).items as unknown[]).length, 1)
    equal((expectSuccess(await scene().victim.call('GetAccountSuggestions', search)).items as unknown[]).length, 0)
  })
}
