import { sql } from 'kysely'
import type { Up } from './declaration.ts'

/**
 * Books an array of complete drafts, each in a subtransaction of its own (D-271). It knows no rule and refuses nothing: a draft
 * with anything unusual has the outcome of an SQLSTATE instead of `booked` and has written nothing, and the caller runs the
 * ordinary transaction, which knows the reason.
 *
 * Nothing in it waits for another transaction: rows are locked with SKIP LOCKED, keys with a try-lock, and the lock timeout
 * ends the wait of a unique index for the same access code. So batches cannot wait for each other in a circle.
 */
const createShipments = `
create or replace function create_shipments(drafts jsonb) returns text[]
language plpgsql volatile set lock_timeout = '20ms' as $$
declare
  draft jsonb;
  new_shipment shipments%rowtype;
  message outbox%rowtype;
  response idempotency%rowtype;
  reserved_uid text;
  found_count bigint;
  outcomes text[] := '{}';
begin
  for draft in select value from jsonb_array_elements(drafts) with ordinality order by ordinality loop
    begin
      new_shipment := jsonb_populate_record(null::shipments, draft->'shipment');

      if draft ? 'response' then
        -- A statement of its own: the next one must see what was committed before the lock.
        if not pg_try_advisory_xact_lock(hashtextextended(draft->>'lock', 0)) then
          raise exception 'the key is in use';
        end if;
        response := jsonb_populate_record(null::idempotency, draft->'response');
        insert into idempotency (client_id, key, fingerprint, status, body, created_at, user_uid)
        values (response.client_id, response.key, response.fingerprint, response.status, response.body,
          response.created_at, response.user_uid)
        on conflict do nothing;
        if not found then raise exception 'the key has a response'; end if;
      end if;

      if jsonb_array_length(draft->'accounts') > 0 then
        perform from accounts
        where user_uid = any (array(select jsonb_array_elements_text(draft->'accounts')))
        for key share skip locked;
        get diagnostics found_count = row_count;
        if found_count < jsonb_array_length(draft->'accounts') then raise exception 'an account is missing'; end if;
      end if;

      update lockers set booked = 1
      where booked = 0 and closed = 0 and locker_uid = (
        select free.locker_uid from lockers free
        where free.pup_uid = new_shipment.pup_uid and free.booked = 0 and free.closed = 0
          and free.side_min >= (draft->>'side_min')::float8 and free.side_mid >= (draft->>'side_mid')::float8
          and free.side_max >= (draft->>'side_max')::float8
          and ((draft->>'larger')::boolean or (free.side_min, free.side_mid, free.side_max) = (
            select size.side_min, size.side_mid, size.side_max from lockers size
            where size.pup_uid = new_shipment.pup_uid and size.retired_at is null
              and size.side_min >= (draft->>'side_min')::float8 and size.side_mid >= (draft->>'side_mid')::float8
              and size.side_max >= (draft->>'side_max')::float8
            order by size.volume, size.side_max, size.side_mid limit 1))
          and exists (
            select from pick_up_point_tenants place join tenants using (tenant_id)
            where place.tenant_id = new_shipment.tenant_id and place.pup_uid = new_shipment.pup_uid
              and place.retired_at is null and tenants.dispatcher_user_uid = draft->>'dispatcher'
              and (tenants.callback_url is not null) = (draft ? 'message'))
        order by free.volume, free.side_max, free.side_mid, free.position limit 1
        for no key update of free skip locked)
      returning locker_uid into reserved_uid;
      if not found then raise exception 'no locker is reserved'; end if;

      insert into access_codes (pup_uid, data_key_id, code_hash)
      select new_shipment.pup_uid, data_key_id, code_hash
      from jsonb_to_recordset(draft->'hashes') as hashes (data_key_id text, code_hash text)
      on conflict do nothing;
      get diagnostics found_count = row_count;
      if found_count < jsonb_array_length(draft->'hashes') then raise exception 'a code is in use'; end if;

      insert into shipments (shipment_uid, tenant_id, shipment_type, state_code, state_since, created_at, updated_at,
        reference_no, reference_case_no, description, from_user_uid, to_user_uid, pup_uid, locker_uid, pick_up_code,
        delivery_code, width, height, length, keep_booked, stock)
      values (new_shipment.shipment_uid, new_shipment.tenant_id, new_shipment.shipment_type, new_shipment.state_code,
        new_shipment.state_since, new_shipment.created_at, new_shipment.updated_at, new_shipment.reference_no,
        new_shipment.reference_case_no, new_shipment.description, new_shipment.from_user_uid, new_shipment.to_user_uid,
        new_shipment.pup_uid, reserved_uid, new_shipment.pick_up_code, new_shipment.delivery_code, new_shipment.width,
        new_shipment.height, new_shipment.length, new_shipment.keep_booked, new_shipment.stock);

      if draft ? 'message' then
        message := jsonb_populate_record(null::outbox, draft->'message');
        insert into outbox (message_id, tenant_id, shipment_uid, body, created_at, next_attempt_at, traceparent)
        values (message.message_id, message.tenant_id, message.shipment_uid, message.body, message.created_at, 0,
          message.traceparent);
      end if;
      outcomes := outcomes || 'booked'::text;
    exception when others then
      outcomes := outcomes || sqlstate::text;
    end;
  end loop;
  return outcomes;
end $$`

/** On PostgreSQL only: the embedded store has no round trips. */
export const shipmentBatches: Up = async (db, kind) => {
  if (kind === 'postgres') await sql.raw(createShipments).execute(db)
}
