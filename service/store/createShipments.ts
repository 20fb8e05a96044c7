import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely'
import { fits, freeLockers, hasSmallestSize, isFree, type LockerSearch } from './lockerChoice.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'

/** The item of a group of drafts that need the same. */
const wanted: LockerSearch<RawBuilder<unknown>, RawBuilder<unknown>> = {
  pupUid: sql.ref('wanted.pup_uid'),
  side_min: sql.ref('wanted.side_min'),
  side_mid: sql.ref('wanted.side_mid'),
  side_max: sql.ref('wanted.side_max'),
}

/** As many lockers as the group has drafts. */
const fittingLockers = freeLockers(
  wanted,
  sql`${fits('free', wanted)} and (wanted.larger or ${hasSmallestSize('free', wanted)})`,
  sql`cardinality(wanted.ats)`,
)

/**
 * Books an array of complete drafts, all of them by the same few statements. It knows no rule and refuses
 * nothing: a draft with anything unusual has another outcome than `booked` and has written nothing, and the caller runs the
 * ordinary transaction, which knows the reason. If a statement fails, each draft is booked by itself.
 *
 * Nothing in it waits for another transaction: rows are locked with SKIP LOCKED, keys and accesses with a try-lock, and the
 * lock timeout ends the wait of a unique index for the same access code. So batches cannot wait for each other in a circle.
 *
 * `leases` has a number for each draft. More than 0: the milliseconds for which its caller leases the callback, to
 * deliver it without a claim. The outcome then is `leased`, with the `seq` of the callback and the end of the
 * lease.
 *
 * Generic plans without sequential scans: PostgreSQL would otherwise plan the statements anew for each draft, which took half
 * of its time, or keep a plan from when the tables were empty.
 */
const define = (name: string) => sql`
create or replace function ${sql.raw(name)}(drafts jsonb, leases bigint[]) returns text[]
language plpgsql volatile
set lock_timeout = '20ms' set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  tenants_present text[];
  users text[];
  users_present text[];
  outcomes text[];
  drafts_picked bigint[];
  lockers_picked text[];
  reserved text[];
  new_bookings integer;
  new_keys integer;
  found_count bigint;
  leased text[];
  leased_count integer := 0;
begin
  -- Of the drafts: neither their tenants, the access of these, nor their accounts are removed before the commit.
  tenants_present := array(
    select tenant_id from tenants
    where tenant_id = any (array(select distinct value->>'tenant_id' from jsonb_array_elements(drafts)))
      and pg_try_advisory_xact_lock_shared(hashtextextended('access ' || tenant_id, 0))
    for key share skip locked);
  users := array(select distinct jsonb_array_elements_text(value->'accounts') from jsonb_array_elements(drafts));
  if cardinality(users) > 0 then
    users_present := array(select user_uid from accounts where user_uid = any (users) for key share skip locked);
  end if;

  outcomes := array(
    select case
      when not (tenant_id = any (tenants_present) and accounts <@ coalesce(users_present, '{}')) then 'removed'
      when lock is not null and not pg_try_advisory_xact_lock(hashtextextended(lock, 0)) then 'lock'
      else 'locker' end
    from jsonb_to_recordset(drafts) as item (tenant_id text, accounts text[], lock text));

  reserved := array_fill(null::text, array[cardinality(outcomes)]);
  loop
    -- A statement after the locks: it must see what was committed before.
    select array_agg(ats[free.place]), array_agg(free.locker_uid) into drafts_picked, lockers_picked
    from (
      select pup_uid, larger, side_min, side_mid, side_max, array_agg(at order by at) as ats
      from (
        select item.*, row_number() over () as at
        from jsonb_to_recordset(drafts) as item (pup_uid text, tenant_id text, dispatcher text, larger boolean,
          side_min float8, side_mid float8, side_max float8, client_id text, key text, version integer,
          codes text[])) draft
      where outcomes[at] = 'locker'
        and exists (
          select from pick_up_point_tenants place join tenants using (tenant_id)
          where place.tenant_id = draft.tenant_id and place.pup_uid = draft.pup_uid and place.retired_at is null
            and tenants.dispatcher_user_uid = draft.dispatcher
            and tenants.callback_version = draft.version and tenants.disabled_at is null)
        and not exists (
          select from idempotency used where used.client_id = draft.client_id and used.key = draft.key)
        -- One booking of some hundred has a code in use, which must not fail the others. With a limit, it is a search for each.
        and (
          select true from access_codes used
          where used.pup_uid = draft.pup_uid and used.code_hash = any (draft.codes) limit 1) is null
      group by pup_uid, larger, side_min, side_mid, side_max) as wanted,
      lateral (
        select fitting.locker_uid, row_number() over () as place
        from (${fittingLockers} for no key update of free skip locked) as fitting) as free;
    exit when drafts_picked is null;

    update lockers set booked = 1 where ${isFree('lockers')} and locker_uid = any (lockers_picked);
    get diagnostics found_count = row_count;
    -- Drafts of different sizes may have picked the same locker: all but the first one pick again.
    new_bookings := 0;
    for at in 1 .. cardinality(drafts_picked) loop
      if at = array_position(lockers_picked, lockers_picked[at]) then
        reserved[drafts_picked[at]] := lockers_picked[at];
        outcomes[drafts_picked[at]] := 'booked';
        new_bookings := new_bookings + 1;
      end if;
    end loop;
    if new_bookings <> found_count then raise exception 'a locker is no longer free'; end if;
    exit when new_bookings = cardinality(drafts_picked);
  end loop;

  if 'booked' = any (outcomes) then
    new_keys := (
      select count(*) from jsonb_array_elements(drafts) with ordinality
      where value ? 'response' and reserved[ordinality] is not null);
    if new_keys > 0 then
      insert into idempotency (client_id, key, fingerprint, status, body, created_at, user_uid)
      select response.client_id, response.key, fingerprint, status, body, created_at, user_uid
      from jsonb_array_elements(drafts) with ordinality,
        jsonb_populate_record(null::idempotency, value->'response') as response
      where value ? 'response' and reserved[ordinality] is not null
      on conflict do nothing;
      get diagnostics found_count = row_count;
      if found_count < new_keys then raise exception 'a key has a response'; end if;
    end if;

    insert into access_codes (pup_uid, data_key_id, code_hash)
    select pup_uid, data_key_id, code_hash
    from rows from (jsonb_to_recordset(drafts) as (pup_uid text, codes text[], data_keys text[]))
        with ordinality as draft (pup_uid, codes, data_keys, at),
      unnest(data_keys, codes) as hashes (data_key_id, code_hash)
    where reserved[at] is not null;

    insert into shipments (shipment_uid, tenant_id, shipment_type, state_code, state_since, created_at, updated_at,
      reference_no, reference_case_no, description, from_user_uid, to_user_uid, pup_uid, locker_uid, pick_up_code,
      delivery_code, width, height, length, keep_booked, stock)
    select shipment_uid, tenant_id, shipment_type, state_code, state_since, created_at, updated_at,
      reference_no, reference_case_no, description, from_user_uid, to_user_uid, pup_uid, reserved[ordinality], pick_up_code,
      delivery_code, width, height, length, keep_booked, stock
    from jsonb_array_elements(drafts) with ordinality, jsonb_populate_record(null::shipments, value->'shipment')
    where reserved[ordinality] is not null;

    with inserted as (
      insert into outbox (message_id, tenant_id, shipment_uid, body, created_at, next_attempt_at, traceparent, lease_expires_at)
      select message_id, tenant_id, shipment_uid, body, created_at, 0, traceparent,
        case when leases[ordinality] > 0
        then (extract(epoch from statement_timestamp()) * 1000)::bigint + leases[ordinality] else 0 end
      from jsonb_array_elements(drafts) with ordinality, jsonb_populate_record(null::outbox, value->'message')
      where value ? 'message' and reserved[ordinality] is not null
      order by ordinality
      returning seq, lease_expires_at)
    select array_agg(concat_ws(' ', 'leased', seq, lease_expires_at) order by seq) into leased
    from inserted where lease_expires_at > 0;
    -- Sequences number the rows in the order in which they are inserted.
    for at in 1 .. cardinality(outcomes) loop
      if outcomes[at] = 'booked' and leases[at] > 0 then
        leased_count := leased_count + 1;
        outcomes[at] := leased[leased_count];
      end if;
    end loop;
  end if;
  return outcomes;
exception when others then
  if jsonb_array_length(drafts) = 1 then return array[sqlstate]; end if;
  return array(
    select (${sql.raw(name)}(jsonb_build_array(value), leases[ordinality:ordinality]))[1]
    from jsonb_array_elements(drafts) with ordinality);
end $$`

/** Compiles and never connects. */
const compiler = new Kysely<Tables>({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('no server')) }),
})
const text = define('').compile(compiler).sql

/**
 * The name of the function has a hash of its text: during a roll-out, processes of two versions share a store, and each calls the
 * function of its own.
 */
const name = `create_shipments_${createHash('sha256').update(text).digest('hex').slice(0, 8)}`

/** The call of the function, as an expression. */
export function createShipments(drafts: string, leases: readonly number[]): RawBuilder<string[]> {
  return sql`${sql.raw(name)}(${drafts}::jsonb, ${leases}::bigint[])`
}

/** Creates the function of this version in a store without it. */
export async function addFunction(store: Store): Promise<void> {
  await define(name).execute(store)
}

export async function hasFunction(store: Store): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regproc(${name}) is not null as found`.execute(store)
  return rows[0]?.found === true
}
