import { openUnnamedFile } from '../../../service/suggestions/index.ts'
import { readHere } from '../../../service/suggestions/reading/readFile.ts'
import type { Slice } from '../../../service/suggestions/upload.ts'
import { longUploads } from './longUploads.ts'
import { titles } from './uploads.ts'

/** The accepted rows of a file by their titles, empty cells as null, and its refused rows. */
export interface ReadRows extends Pick<Slice, 'errorCount' | 'errorLogs'> {
  readonly rows: readonly object[]
}

/** Reads a file for a tenant with the pick up point `square`, whose name is Station Square. Returns its slices. */
export async function slicesOf(read: typeof readHere, name: string, content: string | Uint8Array): Promise<Slice[]> {
  await using handle = await openUnnamedFile()
  await handle.writeFile(content)
  const { size } = await handle.stat()
  const reading = { name, limits: longUploads, pickUpPoints: ['square', 'Station Square'] }
  const slices: Slice[] = []
  for await (const slice of read({ name, handle, size }, reading, new AbortController().signal)) slices.push(slice)
  return slices
}

/** Reads a file in this process, without a service. @throws OperationError as the reader */
export async function readRows(name: string, content: string | Uint8Array): Promise<ReadRows> {
  const slices = await slicesOf(readHere, name, content)
  return {
    rows: slices.flatMap(({ lines }) => (lines === undefined ? [] : JSON.parse(lines.toString()).map(toCells))),
    errorCount: slices.reduce((sum, { errorCount }) => sum + errorCount, 0),
    errorLogs: slices.flatMap(({ errorLogs }) => errorLogs),
  }
}

/** @param values see `toValues` */
function toCells([_position, _key, ...values]: readonly unknown[]): object {
  return Object.fromEntries(titles.map((title, at) => [title, values[at]]))
}
