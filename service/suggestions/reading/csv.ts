import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { OperationError } from '../../operationError.ts'
import { chunkBytes } from './fileBytes.ts'
import type { RawRow } from './rows.ts'

/** An unclosed quotation must not consume the rest of the file. */
const maxRowBytes = 64 * 1_024

/** The encoding of Excel's CSV in western Europe: Latin-1 with a few more characters. */
const windows1252 = new TextDecoder('windows-1252')

/** The first line with which some programs tell Excel the separator. Excel shows no row for it. */
const separatorLine = /^(?:\xef\xbb\xbf)?(?:sep=;|"sep=;")(?:\r\n|\r|\n)/i

interface ParsedRecord {
  readonly record: string[]
  readonly info: { readonly records: number; readonly empty_lines: number }
}

/**
 * Streams the rows of a text with semicolons between the cells, without a line that names this separator.
 * @throws OperationError InvalidRequest for an unclosed quotation, InvalidHeader if it begins in the header
 */
export async function* csvRows(bytes: Buffer): AsyncGenerator<RawRow> {
  const [separator = ''] = separatorLine.exec(bytes.toString('latin1', 0, 16)) ?? []
  const content = bytes.subarray(separator.length)
  const text = isUtf8(content) ? content : Buffer.from(windows1252.decode(content))
  const parser = Readable.from(chunks(text)).pipe(
    parse({
      bom: true,
      delimiter: ';',
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      max_record_size: maxRowBytes,
      relax_column_count: true,
      // Quotation marks inside a cell are literal; only one at its start quotes.
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    }),
  )
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
      yield { row: info.records + info.empty_lines, cells: record, exact: true }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new OperationError(
      Number(error.records) === 0 ? 'InvalidHeader' : 'InvalidRequest',
      `The file has an unclosed quotation near line ${Number(error.lines)}.`,
    )
  } finally {
    parser.destroy()
  }
}

function* chunks(text: Buffer): Generator<Buffer> {
  for (let at = 0; at < text.length; at += chunkBytes) yield text.subarray(at, at + chunkBytes)
}
