import type { Selectable } from 'kysely'
import type { Store } from '../store/index.ts'
import type { Tables } from '../store/tables.ts'
import { assertKnown, findPersonAccount, type PersonSelection } from './account.ts'
import { createMatcher, type Matches, replaceInJson } from './matcher.ts'
import { readResponses } from './responses.ts'
import { readSlices } from './scan.ts'
import { readSuggestions } from './suggestions.ts'

/**
 * Everything that the store has about a person, as rows by table: what has the uid, and what names the person in a text.
 * Moments are texts in ISO 8601.
 */
export interface PersonExport {
  readonly userUid: string
  /** The columns of the account; null if it was removed. */
  readonly account: object | null
  readonly shipments: readonly object[]
  readonly shipmentObjects: readonly object[]
  readonly callbacks: readonly object[]
  readonly responses: readonly object[]
  readonly suggestions: readonly object[]
  /** Uploads of suggestions whose reference names the person. */
  readonly suggestionUploads: readonly object[]
  readonly audit: readonly object[]
}

/** The person of an export, and the tenant to which it is limited. */
interface Search {
  readonly store: Store
  readonly userUid: string
  readonly matches: Matches
  /** True for a row of the tenant, or without a tenant. */
  readonly isOfTenant: (tenantId: string | null | undefined) => boolean
}

/**
 * Exports what is stored about a person; with a tenant, what belongs to that tenant. It finds what an erasure finds.
 * Access codes are left out, because they open lockers.
 * @throws ArgumentError when the store lacks the uid or the tenant, or the tenant does not manage the account
 */
export async function exportPerson(store: Store, selection: PersonSelection): Promise<PersonExport> {
  const { userUid, tenantId } = selection
  const account = await findPersonAccount(store, selection)
  if (account === undefined) await assertKnown(store, userUid)
  const isOfTenant: Search['isOfTenant'] = each => tenantId === undefined || each === tenantId
  const search: Search = { store, userUid, matches: createMatcher(account), isOfTenant }
  const { own, rows: shipments } = await findShipments(search)
  return withMoments({
    userUid,
    account: account ?? null,
    shipments,
    shipmentObjects: await findObjects(search, own),
    callbacks: await findCallbacks(search, own),
    responses: await findResponses(search),
    ...(await findSuggestions(search)),
    audit: await findAudit(search),
  })
}

/** The columns of moments, which the store has in milliseconds since 1970. */
const isMoment = /_(at|since)$/

function withMoments(found: PersonExport): PersonExport {
  return JSON.parse(JSON.stringify(found), (column, value: unknown) =>
    typeof value === 'number' && isMoment.test(column) ? new Date(value).toISOString() : value,
  )
}

async function findShipments({ store, userUid, matches, isOfTenant }: Search) {
  const own = new Set<string>()
  const rows: object[] = []
  for await (const slice of readSlices(store, 'shipments')) {
    for (const row of slice) {
      if (!isOfTenant(row.tenant_id)) continue
      const isOwn = row.from_user_uid === userUid || row.to_user_uid === userUid
      if (isOwn) own.add(row.shipment_uid)
      if (!isOwn && ![row.reference_no, row.description, row.reference_case_no].some(matches)) continue
      const { pick_up_code: _pickUp, delivery_code: _delivery, ...rest } = row
      rows.push(rest)
    }
  }
  return { own, rows }
}

async function findObjects({ store, matches, isOfTenant }: Search, own: ReadonlySet<string>): Promise<object[]> {
  const found: Selectable<Tables['shipment_objects']>[] = []
  for await (const slice of readSlices(store, 'shipment_objects')) {
    const named = slice.filter(row => !own.has(row.shipment_uid) && [row.reference_no, row.description].some(matches))
    const tenants = await tenantsOf(store, named)
    found.push(
      ...slice.filter(
        row => own.has(row.shipment_uid) || (named.includes(row) && isOfTenant(tenants.get(row.shipment_uid))),
      ),
    )
  }
  return found
}

/** The tenants of shipments. */
async function tenantsOf(
  store: Store,
  rows: readonly { readonly shipment_uid: string }[],
): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map()
  const uids = rows.map(({ shipment_uid }) => shipment_uid)
  const found = await store
    .selectFrom('shipments')
    .select(['shipment_uid', 'tenant_id'])
    .where('shipment_uid', 'in', uids)
    .execute()
  return new Map(found.map(({ shipment_uid, tenant_id }) => [shipment_uid, tenant_id]))
}

async function findCallbacks({ store, matches, isOfTenant }: Search, own: ReadonlySet<string>): Promise<object[]> {
  const found: object[] = []
  for await (const slice of readSlices(store, 'outbox')) {
    for (const { message_id, tenant_id, created_at, body, shipment_uid } of slice) {
      const isFound = own.has(shipment_uid) || (isOfTenant(tenant_id) && names(body, matches))
      if (isFound) found.push({ message_id, tenant_id, created_at, body })
    }
  }
  return found
}

async function findResponses({ store, userUid, matches, isOfTenant }: Search): Promise<object[]> {
  const clients = await store.selectFrom('clients').select(['client_id', 'tenant_id']).execute()
  const tenants = new Map(clients.map(({ client_id, tenant_id }) => [client_id, tenant_id]))
  const found: object[] = []
  for await (const slice of readResponses(store)) {
    for (const { client_id, created_at, body, user_uid } of slice) {
      if (!isOfTenant(tenants.get(client_id))) continue
      if (user_uid === userUid || names(body, matches)) found.push({ client_id, created_at, body })
    }
  }
  return found
}

async function findSuggestions({ store, matches, isOfTenant }: Search) {
  const all = await store.selectFrom('suggestion_uploads').selectAll().orderBy('upload_id').execute()
  const uploads = all.filter(({ tenant_id }) => isOfTenant(tenant_id))
  const suggestions: object[] = []
  for (const { upload_id, tenant_id } of uploads) {
    for await (const slice of readSuggestions(store, upload_id, matches))
      suggestions.push(...slice.map(row => ({ ...row, tenant_id })))
  }
  return { suggestions, suggestionUploads: uploads.filter(({ reference }) => matches(reference)) }
}

async function findAudit({ store, userUid, matches, isOfTenant }: Search): Promise<object[]> {
  const found: object[] = []
  for await (const slice of readSlices(store, 'audit_log')) {
    found.push(
      ...slice.filter(
        ({ subject, detail, tenant_id }) =>
          isOfTenant(tenant_id) && (subject === userUid || matches(subject) || matches(detail)),
      ),
    )
  }
  return found
}

/** True if a string of a JSON text names the person. */
function names(body: string, matches: Matches): boolean {
  return replaceInJson(body, matches, null) !== undefined
}
