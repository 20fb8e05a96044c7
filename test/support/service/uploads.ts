import { utils, write } from '@e965/xlsx'
import { z } from 'zod'
import { envelope, operations, type ResponseOf } from '#contract'
import type { ServiceResponse, TestService } from './testService.ts'

const { path, response } = operations.UploadAccountSuggestions
const success = z.strictObject({ ...response.shape, ...envelope.shape })

export const titles = [
  'EmailAddress',
  'PhoneNumber',
  'LanguageCode',
  'FirstName',
  'LastName',
  'Remarks',
  'PickUpPoint',
] as const

/** The cells of a row by column; missing ones are empty. */
export type Cells = Partial<Record<(typeof titles)[number], string>>

export interface UploadOptions {
  readonly client?: string
  /** The part `data`; undefined leaves it out. */
  readonly data?: string | undefined
  readonly signal?: AbortSignal
}

export interface UploadAnswer extends ServiceResponse {
  /** The fields of a success. */
  readonly result: ResponseOf<'UploadAccountSuggestions'>
}

/** A row in the order of the titles. */
export function cellsOf(cells: Cells): string[] {
  return titles.map(title => cells[title] ?? '')
}

/** A text with `;` between the cells. */
export function csv(rows: readonly Cells[], { lineEnd = '\r\n' } = {}): string {
  return [titles.join(';'), ...rows.map(row => cellsOf(row).join(';'))].join(lineEnd)
}

/** A spreadsheet of these rows below the titles. */
export function sheet(rows: readonly Cells[], bookType: 'xlsx' | 'biff8' = 'xlsx'): Buffer {
  return sheetOf([[...titles], ...rows.map(cellsOf)], bookType)
}

type BookType = 'xlsx' | 'biff8' | 'xlsb' | 'ods'

/** A spreadsheet of any cells. */
export function sheetOf(cells: readonly unknown[][], bookType: BookType = 'xlsx'): Buffer {
  return sheetsOf([cells], bookType)
}

/**
 * A spreadsheet of several sheets.
 * @param hidden for each sheet 0 if it is visible, 1 if it is hidden, 2 if it is very hidden
 */
export function sheetsOf(
  sheets: readonly (readonly unknown[][])[],
  bookType: BookType,
  hidden: readonly (0 | 1 | 2)[] = [],
): Buffer {
  const book = utils.book_new()
  book.Workbook = { Sheets: hidden.map(Hidden => ({ Hidden })) }
  for (const cells of sheets) utils.book_append_sheet(book, utils.aoa_to_sheet([...cells]))
  return write(book, { type: 'buffer', bookType, compression: true })
}

/** Sends a file; undefined leaves the part out. A success must match the contract exactly. */
export async function upload(
  service: TestService,
  name: string,
  file: string | Uint8Array | undefined,
  options: UploadOptions = {},
): Promise<UploadAnswer> {
  const form = new FormData()
  const data = 'data' in options ? options.data : '{}'
  if (data !== undefined) form.append('data', data)
  if (file !== undefined) form.append('file', new Blob([typeof file === 'string' ? file : new Uint8Array(file)]), name)
  const answer = await service.send(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${await service.token(options.client)}` },
    body: form,
    ...(options.signal && { signal: options.signal }),
  })
  const result = answer.body.success ? success.parse(answer.body) : answer.body
  return { ...answer, result: result as UploadAnswer['result'] }
}
