import { isFinalState } from '#contract/terms'
import type { Store } from '../store/index.ts'
import { type Matches, replaceInJson } from './matcher.ts'
import type { Erased, Staying } from './report.ts'
import { applyBlanks, type Blank, readSlices } from './scan.ts'

/** The texts of callers that a person may be named in. */
interface Texts {
  readonly erased: Erased[]
  readonly stays: Staying[]
}

type TextRow = Readonly<Record<string, string | number | null>>

/**
 * Blanks the free texts of the person's ended shipments, and every other text of shipments, objects, waiting callbacks and
 * uploads that names the person. The case number of an active shipment stays, because its flow is found by it.
 */
export async function eraseTexts(store: Store, userUid: string, matches: Matches): Promise<Texts> {
  const shipments = await eraseShipments(store, userUid, matches)
  const callbacks = await eraseCallbacks(store, shipments.ended, matches)
  const uploads = await eraseUploadReferences(store, matches)
  const all = [...shipments.erased, callbacks.erased, uploads]
  return { erased: all.filter(({ rows }) => rows > 0), stays: [...shipments.stays, ...callbacks.stays] }
}

async function eraseShipments(
  store: Store,
  userUid: string,
  matches: Matches,
): Promise<Texts & { readonly ended: ReadonlySet<string> }> {
  const ended = new Set<string>()
  const counts = { shipments: 0, objects: 0, active: 0, past: 0, cases: 0 }
  for await (const slice of readSlices(store, 'shipments')) {
    const blanks: Blank[] = []
    for (const row of slice) {
      const isFinal = isFinalState(row.state_code)
      const isOwn = row.from_user_uid === userUid || row.to_user_uid === userUid
      if (isOwn) counts[isFinal ? 'past' : 'active']++
      if (isOwn && isFinal) ended.add(row.shipment_uid)
      const set = findTexts(row, ['reference_no', 'description'], text => (isOwn && isFinal) || matches(text))
      if (matches(row.reference_case_no)) {
        if (isFinal) Object.assign(set, { reference_case_no: null })
        else counts.cases++
      }
      if (Object.keys(set).length > 0) blanks.push({ table: 'shipments', key: { seq: row.seq }, set })
    }
    counts.shipments += await applyBlanks(store, blanks)
  }
  for await (const slice of readSlices(store, 'shipment_objects')) {
    const blanks = slice.flatMap((row): Blank[] => {
      const isOwn = ended.has(row.shipment_uid)
      const set = findTexts(row, ['reference_no', 'description'], text => isOwn || matches(text))
      return Object.keys(set).length > 0 ? [{ table: 'shipment_objects', key: { seq: row.seq }, set }] : []
    })
    counts.objects += await applyBlanks(store, blanks)
  }
  return {
    ended,
    erased: [
      { table: 'shipments', rows: counts.shipments, done: 'blanked' },
      { table: 'shipment_objects', rows: counts.objects, done: 'blanked' },
    ],
    stays: toStays(counts),
  }
}

function toStays({ active, past, cases }: { active: number; past: number; cases: number }): Staying[] {
  const stays = [
    {
      what: 'active shipments, with the uid and texts that do not name the person',
      rows: active,
      reason: 'the parcel is on its way; erase again when they have ended',
    },
    {
      what: 'ended shipments, with the uid',
      rows: past,
      reason: 'the uid no longer leads to an account; LOCKERFLOW_KEEP_SHIPMENTS purges them',
    },
    {
      what: 'case numbers of active shipments that name the person',
      rows: cases,
      reason: 'the flow is found by its case number; erase again when they have ended',
    },
  ]
  return stays.filter(({ rows }) => rows > 0)
}

/** The body is signed when it is sent, so a receiver verifies the changed one. */
async function eraseCallbacks(
  store: Store,
  ended: ReadonlySet<string>,
  matches: Matches,
): Promise<{ erased: Erased; stays: Staying[] }> {
  let rows = 0
  let cases = 0
  for await (const slice of readSlices(store, 'outbox')) {
    const blanks: Blank[] = []
    for (const { seq, body, shipment_uid } of slice) {
      const isFreeText = (field: string) => ended.has(shipment_uid) && ['referenceNo', 'description'].includes(field)
      const isErased = (text: string, field: string) =>
        field !== 'referenceCaseNo' && (matches(text) || isFreeText(field))
      const replaced = replaceInJson(body, isErased, null)
      if (replaced !== undefined) blanks.push({ table: 'outbox', key: { seq, body }, set: { body: replaced } })
      if (replaceInJson(replaced ?? body, matches, null) !== undefined) cases++
    }
    rows += await applyBlanks(store, blanks)
  }
  const stays =
    cases === 0
      ? []
      : [
          {
            what: 'case numbers of undelivered callbacks that name the person',
            rows: cases,
            reason:
              'the gateway finds the flow by it; delivery deletes them, or a purge 90 days after they were given up',
          },
        ]
  return { erased: { table: 'outbox', rows, done: 'blanked' }, stays }
}

async function eraseUploadReferences(store: Store, matches: Matches): Promise<Erased> {
  const uploads = await store.selectFrom('suggestion_uploads').select(['upload_id', 'reference']).execute()
  const blanks = uploads
    .filter(({ reference }) => matches(reference))
    .map(({ upload_id }): Blank => ({ table: 'suggestion_uploads', key: { upload_id }, set: { reference: null } }))
  return { table: 'suggestion_uploads', rows: await applyBlanks(store, blanks), done: 'blanked' }
}

function findTexts(
  row: TextRow,
  columns: readonly string[],
  isErased: (text: string) => boolean,
): Record<string, string | null> {
  const found = columns.filter(column => {
    const text = row[column]
    return typeof text === 'string' && isErased(text)
  })
  return Object.fromEntries(found.map(column => [column, null]))
}
