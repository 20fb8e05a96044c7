import { type Selectable, sql } from 'kysely'
import { toOutOfService } from '../../lockers/index.ts'
import { toPage } from '../../page.ts'
import { countLockersBySize, selectPickUpPoints } from '../../pickUpPoints/index.ts'
import type { StoreTransaction } from '../../store/index.ts'
import type { PickUpPointRow } from '../../store/tables.ts'
import { toTextKey } from '../../textKey.ts'
import type { Handler } from '../handler.ts'

/** Lists the caller's pick up points by name; with details, also their addresses and lockers by size. */
export const GetPickUpPoints: Handler<'GetPickUpPoints'> = async (call, request) => {
  const { pupUid, pageSize } = request
  const searchText = request.searchText?.trim()
  let matching = selectPickUpPoints(call.tx, call.tenantId)
  if (pupUid) matching = matching.where('pup_uid', '=', pupUid)
  const found = searchText ? await search(matching, searchText) : undefined
  // Without a filter the points themselves need not be read.
  const count = sql<number>`count(*)`.as('total')
  const counted = pupUid ? matching.select(count) : countAccesses(call.tx, call.tenantId)
  const { total } = found === undefined ? await counted.executeTakeFirstOrThrow() : { total: found.length }
  const page = toPage(request, Number(total))
  const listed =
    found === undefined
      ? matching.limit(pageSize).offset(page.offset)
      : // A list of SQL must not be empty, and no point has an empty uid.
        matching.where('pup_uid', 'in', ['', ...found.slice(page.offset, page.offset + pageSize)])
  const rows = await listed.selectAll().orderBy('name').orderBy('pup_uid').execute()
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

/** The uids of the points with a text in uid, name or city, in order. The `lower` of SQL knows the letters of ASCII only. */
async function search(points: ReturnType<typeof selectPickUpPoints>, text: string): Promise<string[]> {
  const rows = await points.select(['pup_uid', 'name', 'city']).orderBy('name').orderBy('pup_uid').execute()
  const wanted = toTextKey(text)
  return rows
    .filter(row => [row.pup_uid, row.name, row.city ?? ''].some(value => toTextKey(value).includes(wanted)))
    .map(row => row.pup_uid)
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
