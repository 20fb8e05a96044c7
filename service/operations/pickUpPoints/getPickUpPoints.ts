import { type Selectable, sql } from 'kysely'
import { toOutOfService } from '../../lockers/index.ts'
import { toPage } from '../../page.ts'
import { countLockersBySize, selectPickUpPoints } from '../../pickUpPoints/index.ts'
import type { StoreTransaction } from '../../store/index.ts'
import type { PickUpPointRow } from '../../store/tables.ts'
import type { Handler } from '../handler.ts'

/** Lists the caller's pick up points by name; with details, also their addresses and lockers by size. */
export const GetPickUpPoints: Handler<'GetPickUpPoints'> = async (call, request) => {
  const { pupUid, searchText } = request
  let matching = selectPickUpPoints(call.tx, call.tenantId)
  if (pupUid) matching = matching.where('pup_uid', '=', pupUid)
  if (searchText)
    matching = matching.where(eb => eb.or((['pup_uid', 'name', 'city'] as const).map(contains(searchText))))
  // Without a filter the points themselves need not be read.
  const count = sql<number>`count(*)`.as('total')
  const counted = pupUid || searchText ? matching.select(count) : countAccesses(call.tx, call.tenantId)
  const { total } = await counted.executeTakeFirstOrThrow()
  const page = toPage(request, Number(total))
  const rows = await matching
    .selectAll()
    .orderBy('name')
    .orderBy('pup_uid')
    .limit(request.pageSize)
    .offset(page.offset)
    .execute()
  if (!request.includeDetails) return { items: rows.map(toSummary), ...page.count }
  const sizes = await countLockersBySize(
    call.tx,
    rows.map(row => row.pup_uid),
  )
  const items = rows.map(row => ({
    ...toSummary(row),
    ...toAddress(row),
    lockers: [...(sizes.get(row.pup_uid) ?? [])],
  }))
  return { items, ...page.count }
}

function countAccesses(tx: StoreTransaction, tenantId: string) {
  return tx
    .selectFrom('pick_up_point_tenants')
    .where('tenant_id', '=', tenantId)
    .where('retired_at', 'is', null)
    .select(eb => eb.fn.countAll<number>().as('total'))
}

function contains(text: string): (column: 'pup_uid' | 'name' | 'city') => ReturnType<typeof sql<boolean>> {
  const pattern = `%${text.toLowerCase().replace(/[!%_]/g, '!$&')}%`
  return column => sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '!'`
}

function toSummary(row: Selectable<PickUpPointRow>) {
  return { pupUid: row.pup_uid, name: row.name, timeZone: row.time_zone, outOfService: toOutOfService(row) }
}

function toAddress(row: Selectable<PickUpPointRow>) {
  return {
    streetName: row.street_name,
    streetNo: row.street_no,
    mailbox: row.mailbox,
    city: row.city,
    countryCode: row.country_code,
    externalReference: row.external_reference,
  }
}
