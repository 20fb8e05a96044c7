/** The table of the service's migration 0003, for a store of its own. */
export const table = [
  `create table personal_keys (key_id text primary key, subject text unique, address text, user_uid text, sealed_key text,
    created_at bigint not null, forgotten_at bigint)`,
  'create index personal_keys_by_user_uid on personal_keys (user_uid)',
  'create index personal_keys_by_address on personal_keys (address) where address is not null',
  `create index personal_keys_by_created_at on personal_keys (created_at)
    where user_uid is null and forgotten_at is null`,
]

/** A forgotten row: the key and the hash of the address are gone. */
const blank = 'sealed_key = null, subject = null, address = null'

/** The parameters of each statement are in the order of its question marks. */
export const statements = {
  /** Costs nothing if the id is empty. */
  findId: 'select key_id from personal_keys where key_id = ?',
  findKey: 'select user_uid, sealed_key, created_at from personal_keys where key_id = ?',
  findSubject: 'select key_id, user_uid, sealed_key, created_at from personal_keys where subject = ?',
  insertKey: `insert into personal_keys (key_id, subject, address, user_uid, sealed_key, created_at)
    values (?, ?, ?, ?, ?, ?) on conflict do nothing`,
  assign: 'update personal_keys set user_uid = ? where key_id = ? and user_uid is null',
  leaveSubject: 'update personal_keys set subject = null where key_id = ?',
  forgetUnassigned: `update personal_keys set ${blank}, forgotten_at = ? where key_id = ? and user_uid is null`,
  forgetExpired: `update personal_keys set ${blank}, forgotten_at = ?
    where user_uid is null and forgotten_at is null and created_at < ?`,
  /** Payloads name the uid of an address, and a starter may have mistyped one: the uids of one address are one person. */
  forgetPerson: `update personal_keys set ${blank}, user_uid = ?, forgotten_at = ?
    where forgotten_at is null
      and (user_uid = ? or address in (select address from personal_keys where user_uid = ?)) returning key_id`,
  insertRemoved: `insert into personal_keys (key_id, user_uid, created_at, forgotten_at)
    values (?, ?, ?, ?) on conflict do nothing`,
  listSealed: `select key_id, sealed_key from personal_keys
    where key_id > ? and sealed_key is not null order by key_id limit 500`,
  /** A key that was forgotten meanwhile stays forgotten. */
  reseal: 'update personal_keys set sealed_key = ? where key_id = ? and sealed_key is not null returning key_id',
} as const
