// The benchmark of uploads. bench/main.ts imports this.
import { utils, write } from '@e965/xlsx'
import { operations } from '#contract'
import { startPostgres } from '../../test/support/setup/postgresServer.ts'
import type { Row } from '../row.ts'
import type { BookingStore } from '../service/bookings.ts'
import { headersFor, type RunningService, startService } from '../service/runningService.ts'
import { embedded, postgres } from '../service/stores.ts'
import { measureMemory } from './memory.ts'

const rowCount = 100_000
/** Megabytes of both processes. */
const bar = 200

const titles = ['EmailAddress', 'PhoneNumber', 'LanguageCode', 'FirstName', 'LastName', 'Remarks', 'PickUpPoint']
const remark = 'The key of the back door is at the reception'

/** The memory of the largest uploads: that of the reading process, and the growth of the service. */
export async function benchUploads(): Promise<Row[]> {
  const server = await startPostgres({ durable: true })
  try {
    return [...(await benchStore(embedded)), ...(await benchStore(postgres(server)))]
  } finally {
    await server.remove()
  }
}

async function benchStore(store: BookingStore): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, file] of uploadFiles(rowCount)) {
    const made = await store.make()
    const service = await startService(made.databaseUrl)
    const { authorization = '' } = await headersFor(service)
    // A small one before: the code of uploads is part of the idle service.
    const [, first = Buffer.alloc(0)] = uploadFiles(10)[0] ?? []
    await upload(service, authorization, { name: 'few.csv', file: first })
    const startedAt = performance.now()
    const memory = await measureMemory(service.pid, () => upload(service, authorization, { name, file }))
    const seconds = (performance.now() - startedAt) / 1_000
    await service.stop()
    await made.remove()
    const used = memory === undefined ? Number.NaN : memory.reader + memory.service
    const parts = memory && `reader ${Math.round(memory.reader)}, service ${Math.round(memory.service)}`
    rows.push({
      what: `${rowCount} rows of ${name}, ${store.name} (${parts} MB, ${seconds.toFixed(1)} s)`,
      unit: 'MB',
      ours: used,
      ratio: used / bar,
      bar: `at most ${bar} MB`,
      met: used <= bar,
    })
  }
  return rows
}

async function upload(
  { origin }: RunningService,
  authorization: string,
  { name, file }: { readonly name: string; readonly file: Buffer },
): Promise<void> {
  const form = new FormData()
  form.append('data', '{}')
  form.append('file', new Blob([new Uint8Array(file)]), name)
  const path = operations.UploadAccountSuggestions.path
  const response = await fetch(origin + path, { method: 'POST', headers: { authorization }, body: form })
  const text = await response.text()
  if (!text.includes('"success":true')) throw new Error(`${name}: ${text.slice(0, 300)}`)
}

/** The most rows of an upload, in each format that has so many. */
function uploadFiles(rows: number): readonly (readonly [name: string, file: Buffer])[] {
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
