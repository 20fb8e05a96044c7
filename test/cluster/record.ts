import { Client } from 'pg'
import { states } from '#contract/terms'

/** A callback of the outbox, and the time of its delivery. */
export interface SentMessage {
  readonly body: string
  /** Undefined while it is in the outbox. */
  readonly delivered: Date | undefined
}

/** Installs triggers that record each message of the outbox, because the service deletes delivered ones. */
export async function recordMessages(url: string): Promise<void> {
  await withClient(url, client =>
    client.query(`
      create table recorded_messages (message_id text primary key, body text not null, delivered timestamptz);
      create function record_message() returns trigger language plpgsql security definer as $$
      begin
        if tg_op = 'INSERT' then
          insert into recorded_messages (message_id, body) values (new.message_id, new.body);
        else
          update recorded_messages set delivered = clock_timestamp() where message_id = old.message_id;
        end if;
        return null;
      end $$;
      create trigger record_message after insert or delete on outbox for each row execute function record_message();
    `),
  )
}

export async function recordedMessages(url: string): Promise<SentMessage[]> {
  const { rows } = await withClient(url, client => client.query('select body, delivered from recorded_messages'))
  return rows.map(({ body, delivered }) => ({ body, delivered: delivered ?? undefined }))
}

/**
 * Lockers that are booked without an active shipment, or free with one, in one snapshot. Linked shipments share a
 * locker.
 */
export async function contradictoryLockers(url: string): Promise<string[]> {
  const finals = Object.entries(states).flatMap(([code, { final }]) => (final ? [code] : []))
  const { rows } = await withClient(url, client =>
    client.query<{ locker_uid: string }>(
      `select locker_uid from lockers where (booked = 1) <> exists (
         select from shipments where shipments.locker_uid = lockers.locker_uid and state_code <> all ($1)
       )`,
      [finals],
    ),
  )
  return rows.map(({ locker_uid }) => locker_uid)
}

export interface StoredShipment {
  readonly shipment_uid: string
  readonly reference_case_no: string
  readonly state_code: string
  readonly locker_uid: string | null
}

/** The content of the service's database at the end. */
export async function stored(url: string) {
  return withClient(url, async client => ({
    shipments: (await client.query<StoredShipment>('select * from shipments')).rows,
    outbox: Number((await client.query('select count(*) from outbox')).rows[0].count),
  }))
}

/** True if the next pass of the audit log is not due yet, which only a pass that succeeded puts off. */
export async function hasCollected(url: string): Promise<boolean> {
  const { rows } = await withClient(url, client => client.query('select due_at from decision_collections'))
  return rows.length > 0 && rows.every(({ due_at }) => Number(due_at) > Date.now())
}

async function withClient<Answer>(url: string, use: (client: Client) => Promise<Answer>): Promise<Answer> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
