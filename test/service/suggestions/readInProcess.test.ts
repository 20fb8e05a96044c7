import { expect, test } from 'vitest'
import { readHere } from '../../../service/suggestions/reading/readFile.ts'
import { readInProcess } from '../../../service/suggestions/reading/readInProcess.ts'
import { slicesOf } from '../../support/service/uploadedFile.ts'
import { type Cells, csv, sheet } from '../../support/service/uploads.ts'

const rows: Cells[] = [
  { EmailAddress: 'ada@home.example', FirstName: 'Zoë', PickUpPoint: 'Station Square' },
  { EmailAddress: 'none' },
]
const many = Array.from({ length: 300 }, (_, row) => ({ EmailAddress: `u${row}@home.example` }))

// The tests of readFile decide about the contents.
test.each<[string, string, string | Uint8Array]>([
  ['CSV with a refused row', 'a.csv', csv(rows)],
  ['.xlsx', 'a.xlsx', sheet(rows)],
  ['.xls of several slices', 'a.xls', sheet(many, 'biff8')],
])('a child process reads %s as this process does', async (_, name, file) => {
  const slices = await slicesOf(readInProcess, name, file)
  expect(slices.length).toBeGreaterThan(1)
  expect(slices).toEqual(await slicesOf(readHere, name, file))
})

test.each<[string, string, string]>([
  ['InvalidHeader', 'EmailAddress', 'must have the columns PhoneNumber'],
  ['InvalidImportType', 'a\0b', 'The file must be an .xls'],
])('a child process refuses with %s and the message', async (code, file, message) => {
  const refusal = { code, message: expect.stringContaining(message) }
  await expect(slicesOf(readInProcess, 'a.csv', file)).rejects.toMatchObject(refusal)
})
