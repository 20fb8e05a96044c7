import { operations } from '#contract'
import { quantile } from '../pairs.ts'
import type { Row } from '../row.ts'
import type { BookingStore } from './bookings.ts'
import { headersFor, type RunningService, startService } from './runningService.ts'

const lines = 100_000
const searches = 40
/** Milliseconds. */
const searchBar = 50
const titles = 'EmailAddress;PhoneNumber;LanguageCode;FirstName;LastName;Remarks;PickUpPoint'

/** Each word is in every suggestion, so that no index narrows the search. */
const worstWords = 'person p pe per pers perso home.example home'
const searchTexts: readonly (readonly [name: string, searchText: string])[] = [
  ['of eight words that all suggestions have', worstWords],
  ['of one word that all suggestions have', 'home'],
  ['of two words that one suggestion has', 'first77 last77777'],
  ['without words, the last page', ''],
]

/** The largest upload, what others notice of it, and searches in it. */
export async function benchSuggestions(place: BookingStore): Promise<Row[]> {
  const made = await place.make()
  const service = await startService(made.databaseUrl)
  try {
    const headers = await headersFor(service)
    // The second one replaces the first one and is compared with it.
    await upload(service, headers)
    const waits: number[] = []
    let uploading = true
    const others = (async () => {
      while (uploading) waits.push(await timed(() => call(service, headers, 'GetAccount', { userUid: 'unknown' })))
    })()
    const took = await timed(() => upload(service, headers))
    uploading = false
    await others
    const rows: Row[] = [
      { what: `an upload of ${lines} suggestions, ${place.name}`, unit: 'ms', ours: took },
      { what: `the longest wait of another request meanwhile, ${place.name}`, unit: 'ms', ours: Math.max(...waits) },
    ]
    for (const [name, searchText] of searchTexts) {
      const request = {
        searchText,
        pageNo: searchText === '' ? lines / 500 : 1,
        pageSize: searchText === '' ? 500 : 50,
      }
      const taken: number[] = []
      for (let count = 0; count < searches; count++) {
        taken.push(await timed(() => call(service, headers, 'GetAccountSuggestions', request)))
      }
      rows.push(toRow(`a search ${name}, p95, ${place.name}`, quantile(taken, 0.95)))
    }
    return rows
  } finally {
    await service.stop()
    await made.remove()
  }
}

function toRow(what: string, ours: number): Row {
  return { what, unit: 'ms', ours, ratio: ours / searchBar, bar: `under ${searchBar} ms`, met: ours < searchBar }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function call(
  { origin }: RunningService,
  headers: Readonly<Record<string, string>>,
  name: 'GetAccount' | 'GetAccountSuggestions',
  body: object,
): Promise<void> {
  const response = await fetch(origin + operations[name].path, { method: 'POST', headers, body: JSON.stringify(body) })
  await assertSuccess(name, response)
}

async function upload({ origin }: RunningService, { authorization = '' }: Readonly<Record<string, string>>) {
  const rows = Array.from(
    { length: lines },
    (_, at) => `person.${at}@home.example;+31612345678;nl;First${at % 300};Last${at};;`,
  )
  const form = new FormData()
  form.append('data', '{}')
  form.append('file', new Blob([[titles, ...rows].join('\n')]), 'people.csv')
  const path = operations.UploadAccountSuggestions.path
  const response = await fetch(origin + path, { method: 'POST', headers: { authorization }, body: form })
  await assertSuccess('UploadAccountSuggestions', response)
}

async function assertSuccess(name: string, response: Response): Promise<void> {
  const text = await response.text()
  if (response.status !== 200 || !text.includes('"success":true')) throw new Error(`${name}: ${text.slice(0, 300)}`)
}
