import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { Refusal } from '../../operations/call.ts'
import type { RawRow } from './rawRow.ts'

/** Longest row in bytes: a quotation that is never closed must not swallow the rest of the file. */
const longestRow = 64 * 1_024
const chunk = 64 * 1_024

/** What Excel calls CSV in western Europe: Latin-1 with a few letters more. */
const western = new TextDecoder('windows-1252')

/**
 * The rows of a text with `;` between the cells, as a stream.
 * @throws Refusal InvalidRequest when a quotation is not closed
 */
export async function* csvRows(bytes: Uint8Array): AsyncGenerator<RawRow> {
  const text = isUtf8(bytes) ? Buffer.from(bytes) : Buffer.from(western.decode(bytes))
  const parser = Readable.from(chunks(text)).pipe(
    parse({
      bom: true,
      delimiter: ';',
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      max_record_size: longestRow,
      relax_column_count: true,
      // A quotation mark within a cell is one; only at its start it quotes.
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    }),
  )
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      yield { row: info.records + info.empty_lines, cells: record, exact: true }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new Refusal(
      'InvalidRequest',
      `The file cannot be read near line ${Number(error.lines)}: a quotation is not closed.`,
    )
  } finally {
    parser.destroy()
  }
}

interface Parsed {
  readonly record: string[]
  readonly info: { readonly records: number; readonly empty_lines: number }
}

function* chunks(text: Buffer): Generator<Buffer> {
  for (let at = 0; at < text.length; at += chunk) yield text.subarray(at, at + chunk)
}
