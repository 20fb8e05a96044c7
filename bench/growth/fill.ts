import { sql } from 'kysely'
import type { Store } from '../../service/store/index.ts'
import { hasRowLocks } from '../../service/store/locks.ts'

export interface Volume {
  readonly shipments: number
  readonly accounts: number
  readonly pickUpPoints: number
}

/** One in this many lockers has an active shipment. */
const activePart = 4
/** Shipments per account and per case, at every volume. */
const shipmentsOfAccount = 10

const day = 86_400_000

/**
 * Inserts accounts and shipments by SQL, as if they had been made long ago. Lockers and pick up points exist already.
 * @param age milliseconds since the first shipment ended
 */
export async function fillStore(store: Store, { shipments, accounts }: Volume, age = day): Promise<void> {
  const { tenant_id } = await store.selectFrom('tenants').select('tenant_id').executeTakeFirstOrThrow()
  const onPostgres = hasRowLocks(store)
  const numbers = (count: number) =>
    onPostgres
      ? sql`generate_series(1, ${sql.lit(count)}) as numbers (n)`
      : sql`(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
          select n from numbers) as numbers`
  const now = Date.now()
  await store.transaction().execute(async tx => {
    await sql`create temporary table places (at integer primary key, pup_uid text, locker_uid text)`.execute(tx)
    await sql`insert into places select row_number() over (order by locker_uid) - 1, pup_uid, locker_uid from lockers`.execute(
      tx,
    )
    const { rows } = await sql<{ count: number | string }>`select count(*) as count from places`.execute(tx)
    const lockers = Number(rows[0]?.count)
    const active = Math.min(Math.floor(lockers / activePart), Math.floor(shipments / 2))
    await sql`
      insert into accounts (user_uid, user_name_key, email, email_key, first_name, last_name, main_pup_uid, mail_code,
        mutation_config, created_at)
      select 'user-' || n, 'user-' || n, 'user' || n || '@bench.example', 'user' || n || '@bench.example', 'Ada',
        'Lovelace', pup_uid, 'mail-' || n, account.mutation_config, ${sql.lit(now)}
      from ${numbers(accounts)} join places on places.at = n % ${sql.lit(lockers)}
        cross join (select mutation_config from accounts limit 1) as account`.execute(tx)
    await sql`
      insert into shipments (shipment_uid, tenant_id, shipment_type, state_code, state_since, created_at, updated_at,
        reference_case_no, from_user_uid, to_user_uid, pup_uid, locker_uid, width, height, length, keep_booked, stock)
      select 'shipment-' || n, ${tenant_id}, 'LocalPupShipment',
        case when n > ${sql.lit(shipments - active)} then 'ReadyForPickup' else 'Completed' end,
        ${sql.lit(now - age)} + n, ${sql.lit(now - age)} + n, ${sql.lit(now - age)} + n,
        'case-' || (n / ${sql.lit(shipmentsOfAccount)}), dispatcher_user_uid,
        'user-' || (1 + (n / ${sql.lit(shipmentsOfAccount)}) % ${sql.lit(accounts)}), pup_uid,
        case when n > ${sql.lit(shipments - active)} then locker_uid end, 10, 10, 10, 0, 0
      from ${numbers(shipments)} join places on places.at = (n * ${sql.lit(activePart)}) % ${sql.lit(lockers)}
        cross join (select dispatcher_user_uid from tenants limit 1) as dispatcher
      order by n`.execute(tx)
    await sql`
      update lockers set booked = 1
      where locker_uid in (select locker_uid from shipments where state_code = 'ReadyForPickup')`.execute(tx)
    await sql`drop table places`.execute(tx)
  })
  // As PostgreSQL does by itself. The embedded store has no statistics.
  if (onPostgres) await sql`vacuum analyze`.execute(store)
}
