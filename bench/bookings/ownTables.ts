// A booking as one statement on the service's tables, with their indexes and foreign keys.
import { randomInt, randomUUID } from 'node:crypto'
import { openStore } from '../../service/store/index.ts'
import { applyTopology } from '../../service/topology/index.ts'
import { serveJobs } from '../child.ts'
import type { BareJob } from './bareSqlite.ts'
import { manyCallers } from './manyCallers.ts'
import { bookingAt, topology } from './places.ts'

const booking = `
  with point as (
    select pup_uid, tenant_id, dispatcher_user_uid from pick_up_point_tenants join tenants using (tenant_id)
    where pup_uid = $1 and tenant_id = $2),
  taken as (
    update lockers set booked = 1 where booked = 0 and locker_uid = (
      select locker_uid from lockers where pup_uid = $1 and booked = 0 and side_min >= $3 and side_mid >= $4
      and side_max >= $5 order by volume, side_max, side_mid, position limit 1 for no key update skip locked)
    returning pup_uid, locker_uid),
  coded as (
    insert into access_codes (pup_uid, code_hash, data_key_id) select pup_uid, code, '' from taken, unnest(array[$6, $7]) as code)
  insert into shipments (shipment_uid, tenant_id, shipment_type, state_code, state_since, created_at, updated_at, from_user_uid,
    pup_uid, locker_uid, pick_up_code, delivery_code, width, height, length, keep_booked, stock)
  select $8, tenant_id, 'Local', 'ReadyForDropOff', $9, $9, $9, dispatcher_user_uid,
    pup_uid, locker_uid, $6, $7, $3, $4, $5, 0, 1 from point join taken using (pup_uid)`

serveJobs(async ({ store, milliseconds }: BareJob): Promise<number> => {
  const tenant = await makeTables(store)
  return manyCallers(store, milliseconds, async (pool, n) => {
    const { PupUid, Dimension } = bookingAt(n)
    const sides = Object.values(Dimension).sort((one, other) => one - other)
    const values = [PupUid, tenant, ...sides, code(), code(), randomUUID(), Date.now()]
    const { rowCount } = await pool.query({ name: 'booking', text: booking, values })
    return rowCount ?? 0
  })
})

/** Returns the tenant's id. */
async function makeTables(url: string): Promise<string> {
  const store = await openStore(url)
  await applyTopology(store, topology, Date.now())
  const { tenant_id } = await store.selectFrom('tenants').select('tenant_id').executeTakeFirstOrThrow()
  await store.destroy()
  return tenant_id
}

/** Twelve digits, because codes of six would collide and need a retry. */
function code(): string {
  return String(randomInt(10 ** 12))
}
