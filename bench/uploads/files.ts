import { utils, write } from '@e965/xlsx'

const titles = ['EmailAddress', 'PhoneNumber', 'LanguageCode', 'FirstName', 'LastName', 'Remarks', 'PickUpPoint']
const remark = 'The key of the back door is at the reception'

/** The most rows of an upload, in each format that has so many. */
export function uploadFiles(rows: number): readonly (readonly [name: string, file: Buffer])[] {
  const cells = Array.from({ length: rows }, (_, at) => [
    `person.${at}@home.example`,
    `+316${10_000_000 + (at % 1_000)}`,
    'nl',
    `First${at % 300}`,
    `Last${at}`,
    at % 20 === 0 ? remark : '',
    '',
  ])
  const book = utils.book_new()
  utils.book_append_sheet(book, utils.aoa_to_sheet([titles, ...cells]))
  const spreadsheet = (bookSST: boolean): Buffer =>
    write(book, { type: 'buffer', bookType: 'xlsx', compression: true, bookSST })
  const text = [titles, ...cells].map(row => row.join(';')).join('\r\n')
  return [
    ['people.csv', Buffer.from(text)],
    ['people.xlsx', spreadsheet(false)],
    ['people with shared strings.xlsx', spreadsheet(true)],
    ['people who are all refused.csv', Buffer.from(text.replaceAll('@home.example', ''))],
  ]
}
