import type { ColumnType, Generated, Selectable } from 'kysely'
import type { CallbackAuthType, DoorState } from '#contract'
import type { ShipmentType, StateCode } from '#contract/terms'

/** A boolean column: SQLite has no boolean type. */
export type SqlBoolean = 0 | 1
/** Milliseconds since 1970. */
export type EpochMillis = number

export interface TenantRow {
  tenant_id: string
  /** The main account of the dispatcher (specification, What the service does). */
  dispatcher_user_uid: string
  /** Null while the tenant has registered no address. Changes of its shipments then send no callbacks. */
  callback_url: string | null
  /** How callbacks are authenticated. */
  callback_auth_type: CallbackAuthType
  /** Encrypted. */
  callback_key: string | null
  /** Encrypted. Also used for signatures for 24 hours after `callback_key_since`. */
  callback_key_previous: string | null
  /** When `callback_key` was registered. */
  callback_key_since: EpochMillis | null
  /** Set while the tenant is disabled: its clients get no tokens, and its callbacks wait. */
  disabled_at: EpochMillis | null
  /** Counts the changes of the callback address, its key and its authentication. */
  callback_version: Generated<number>
}

export interface ClientRow {
  client_id: string
  tenant_id: string
  /** Tokens of another generation are rejected. Grows when the tokens of the client are revoked. */
  token_generation: EpochMillis
  /** 0 once the command has changed the secrets; a topology file then leaves them alone. */
  secrets_from_topology: SqlBoolean
  /** Set while the client is disabled. */
  disabled_at: EpochMillis | null
}

/** The hash of a client secret. An expired one stays, so that neither an old file nor a forgotten process revives it. */
export interface ClientSecretRow {
  client_id: string
  /** In hexadecimal digits. */
  secret_salt: string
  /** In hexadecimal digits. */
  secret_hash: string
  created_at: EpochMillis
  /** Null for a secret without an end. */
  expires_at: EpochMillis | null
}

/** Wrong secrets of a client at an address, of an address (no client), or of a client (no address). */
export interface SecretAttemptsRow {
  /** Empty for all clients of the address, unknown ones included. */
  client_id: string
  /** An IPv4 address or an IPv6 /64. Empty for all addresses of the client. */
  address: string
  /** Wrong secrets. The count begins again when the longest lock after the last one has passed. */
  failures: number
  /** The end of the lock; without a lock, the last failure. */
  lock_expires_at: EpochMillis
}

/** The token bucket of a client's rate limit, shared by the processes on PostgreSQL. */
export interface RateBucketRow {
  client_id: string
  /** Requests that are left. Negative while requests at several processes exceeded the limit. */
  tokens: number
  /** When `tokens` was computed last. */
  filled_at: EpochMillis
}

/** A removed entry. Neither a setting nor the start of a service with a topology file that still names it revives it. */
export interface RemovalRow {
  /** `client`, `tenant`, `key`, `pickUpPoint`, `locker` or `access`. */
  kind: 'client' | 'tenant' | 'key' | 'pickUpPoint' | 'locker' | 'access'
  /** The id of the removed entry. */
  id: string
  /** The last removal. */
  removed_at: EpochMillis
}

/** A counter that grows with each change of some rows, so that processes notice the change with one small read. */
export interface RevisionRow {
  /** `auth`: clients, tenants, signing keys and data keys. */
  name: string
  /** The number of changes. */
  revision: number
}

export interface SigningKeyRow {
  /** The id of the key, as tokens name it. */
  kid: string
  /** The public JWK as JSON. */
  jwk: string
  /** The private JWK as JSON, encrypted. Null for a key that a setting gives. */
  private_jwk: string | null
  created_at: EpochMillis
}

/** A key that encrypts columns of the store, and is encrypted itself. A copy per key-encryption key. */
export interface DataKeyRow {
  data_key_id: string
  /** The id of the key-encryption key, from `LOCKERFLOW_STORE_KEYS`. */
  encrypted_by: string
  /** The key itself, encrypted. */
  encrypted_key: string
  /** When processes begin to encrypt with it, by the clock of the database. */
  used_from: EpochMillis
}

export interface PickUpPointRow {
  pup_uid: string
  name: string
  time_zone: string
  overflow_pup_uid: string | null
  street_name: string | null
  street_no: string | null
  mailbox: string | null
  city: string | null
  country_code: string | null
  external_reference: string | null
  /** For operators and dispatchers; null while it is in service. */
  out_of_service_reason: string | null
  /** Null while it is in service. */
  out_of_service_since: EpochMillis | null
  /** 1 once the command has put it in or out of service; a topology file then leaves that alone. */
  service_by_command: Generated<SqlBoolean>
  /** Set when a topology removes it. It takes no new bookings, and is deleted once it is unused. */
  retired_at: EpochMillis | null
}

/** A tenant that manages a pick up point. */
export interface PickUpPointTenantRow {
  pup_uid: string
  tenant_id: string
  /** Set when a topology ends the access. The tenant makes no new bookings there. */
  retired_at: EpochMillis | null
}

export interface LockerRow {
  locker_uid: string
  pup_uid: string
  name: string
  /** Natural order of the names: 2 before 10. */
  position: number
  /** Centimetres. */
  width: number
  /** Centimetres. */
  height: number
  /** Centimetres. */
  length: number
  /** The three sides sorted, in centimetres: an item fits in some orientation if each sorted side fits. */
  side_min: number
  /** The middle one of the sorted sides. */
  side_mid: number
  /** The longest one of the sorted sides. */
  side_max: number
  /** Cubic centimetres. */
  volume: number
  /** 1 while an active shipment has this locker. */
  booked: SqlBoolean
  /** 1 while it takes no bookings: it, or its pick up point, is out of service or retired. */
  closed: Generated<SqlBoolean>
  /** For operators and dispatchers; null while it is in service. */
  out_of_service_reason: string | null
  /** Null while it is in service. */
  out_of_service_since: EpochMillis | null
  /** 1 once the command has put it in or out of service; a topology file then leaves that alone. */
  service_by_command: Generated<SqlBoolean>
  /** Set when a topology removes it. It takes no new bookings, and is deleted once it is unused. */
  retired_at: EpochMillis | null
  /** The request that opens the door now. */
  door_lease_id: string | null
  /** By the clock of the database. */
  door_lease_expires_at: EpochMillis | null
}

/** The state of a door, as its adapter reported it. */
export interface LockerDoorRow {
  locker_uid: string
  /** The state after the last event or reading. */
  state: DoorState
  /** The number of the last event; events that are not higher are repetitions. 0 without an event. */
  sequence: number
  /** By the clock of the service. Null while the adapter has reported nothing. */
  reported_at: EpochMillis | null
  /** The adapter's words. */
  reason: string | null
  /** The opening that the last event `opened` named. */
  open_id: string | null
  /** The last opening that its caller was told to have failed. */
  failed_open_id: string | null
}

export interface AccountRow {
  user_uid: string
  /** Null if none was given: the e-mail address is the user name then. */
  user_name: string | null
  /** The user name or its default, see `toTextKey` and `toDefaultNameKey`; unique. */
  user_name_key: string
  email: string
  /** See `toTextKey`; unique. */
  email_key: string
  first_name: string
  last_name: string
  phone_number: string | null
  language_code: string | null
  street_name: string | null
  street_no: string | null
  mailbox: string | null
  city: string | null
  country_code: string | null
  main_pup_uid: string
  /** The mail delivery code of the account; unique. */
  mail_code: string
  /** The nine mutation flags as JSON: flag to boolean or null. */
  mutation_config: string
  created_at: EpochMillis
}

export interface ShipmentRow {
  /** Order of creation. */
  seq: Generated<number>
  shipment_uid: string
  tenant_id: string
  shipment_type: ShipmentType
  state_code: StateCode
  /** The last change of the state. */
  state_since: EpochMillis
  created_at: EpochMillis
  /** Last change of any column or object. */
  updated_at: EpochMillis
  reference_no: string | null
  reference_case_no: string | null
  description: string | null
  from_user_uid: string | null
  to_user_uid: string | null
  pup_uid: string
  locker_uid: string | null
  /** Encrypted. */
  pick_up_code: string | null
  /** Encrypted. */
  delivery_code: string | null
  /** Centimetres, of the request. */
  width: number
  /** Centimetres, of the request. */
  height: number
  /** Centimetres, of the request. */
  length: number
  swaps_shipment_uid: string | null
  prior_shipment_uid: string | null
  circular_prior_shipment_uid: string | null
  /** 1 for a collect-only booking that stays after a collection. */
  keep_booked: SqlBoolean
  /** May be issued from stock. */
  stock: SqlBoolean
  /** The sender is the receiver of the prior shipment, and follows it until the drop off. */
  sender_derived: Generated<SqlBoolean>
}

/** A shipment without its place in the order of creation, which a new one gets from the store. */
export type ShipmentColumns = Omit<Selectable<ShipmentRow>, 'seq'>

/** An item attached to a shipment. */
export interface ShipmentObjectRow {
  /** Order of attaching. */
  seq: Generated<number>
  shipment_object_uid: string
  shipment_uid: string
  reference_no: string | null
  description: string | null
  /** Grams. */
  weight: number | null
  /** Total object parts. */
  count: number | null
  /** Centimetres; all three or none. */
  width: number | null
  /** As `width`. */
  height: number | null
  /** As `width`. */
  length: number | null
}

/** Hashes of the access codes in use; the primary key makes codes unique per pick up point. */
export interface AccessCodeRow {
  pup_uid: string
  /** HMAC-SHA256 of pick up point and code, under a key that is derived from the data key. */
  code_hash: string
  data_key_id: string
}

/** Wrong PIN codes of one tenant at one locker. */
export interface PinAttemptsRow {
  tenant_id: string
  locker_uid: string
  /** Wrong codes since the last right one. */
  failures: number
  /** The end of the lock; 0 without one. */
  lock_expires_at: EpochMillis
}

/** An undelivered callback; delivered ones are deleted. Moments, except `created_at`, are the store's. */
export interface OutboxRow {
  /** Order of the changes. */
  seq: Generated<number>
  message_id: string
  tenant_id: string
  shipment_uid: string
  /** The body of the callback as JSON. */
  body: string
  created_at: EpochMillis
  /** Failed deliveries since `resent_at`, or since the change. */
  attempts: ColumnType<number, number | undefined, number>
  /** Time of the next delivery; 0 before the first one. */
  next_attempt_at: EpochMillis
  /** A process is delivering it until then; 0 without a lease. */
  lease_expires_at: ColumnType<EpochMillis, EpochMillis | undefined, EpochMillis>
  /** The `seq` of the shipment's previous message. Null for the first one, which alone is delivered. */
  waits_for: number | null
  /** The tenant's `callback_version` at the last delivery; with a later version the message is due. */
  attempted_version: Generated<number>
  /** The last command to send it again. Its age counts from then on, otherwise from `created_at`. */
  resent_at: EpochMillis | null
  /** Given up since then; it is sent again on command only. */
  dead_since: EpochMillis | null
  /** The trace of the change, as a W3C `traceparent`. Null if it was not traced. */
  traceparent: string | null
}

/** The stored response of an Idempotency-Key, kept for a day. */
export interface IdempotencyRow {
  client_id: string
  /** The header of the request. */
  key: string
  /** Hash of operation and request: the key is refused for another request. */
  fingerprint: string
  /** The HTTP status of the response. */
  status: number
  /** The body of the response. */
  body: string
  created_at: EpochMillis
  /** The account that the body contains. */
  user_uid: string | null
}

/** An upload of suggestions: the active one of its tenant, a staged one, or an expired one. */
export interface SuggestionUploadRow {
  upload_id: string
  tenant_id: string
  /** 1 for the upload that searches read. */
  active: SqlBoolean
  /** An inactive upload may be purged from then on; 0 after it was replaced or abandoned, and -1 while it is purged. */
  expires_at: EpochMillis
  /** The reference of the request that made the upload active. */
  reference: string | null
  created_at: EpochMillis
  /** Suggestions of an active upload; 0 before. */
  line_count: Generated<number>
}

export interface SuggestionRow {
  upload_id: string
  /** Lower case; unique in its upload. */
  email_key: string
  /** Place among the accepted rows of the file, from 0. */
  position: number
  email: string
  phone_number: string | null
  language_code: string | null
  first_name: string | null
  last_name: string | null
  /** Unchanged from the file. */
  remarks: string | null
  /** Uid or name, unchanged from the file. */
  pick_up_point: string | null
  /** Its words in lower case, each after a line end, for searches. */
  search_key: string
}

/** A word of a suggestion: the index of searches. */
export interface SuggestionWordRow {
  upload_id: string
  /** Lower case, up to the next blank. */
  word: string
  /** The suggestion's place in its upload. */
  position: number
}

export interface SandboxFaultsRow {
  tenant_id: string
  /** 1 while changes of mutation flags fail. */
  mutation_config_fails: SqlBoolean
  /** 1 while doors do not open. */
  hardware_fails: SqlBoolean
}

/** The moment before which the retention has purged the audit log. The triggers allow the deletion of older entries. */
export interface AuditPurgeRow {
  /** `audit_log`. */
  log: string
  /** Entries with an earlier `recorded_at` are purged. */
  purged_before: EpochMillis
}

/** An entry of the audit log. Triggers refuse every change. */
export interface AuditRow {
  /** Order of the entries. */
  seq: Generated<number>
  /** The moment of the action. */
  recorded_at: EpochMillis
  tenant_id: string | null
  /** `client`, `operator` for commands, `service`, or `person` for a decision about a flow. */
  actor: string
  /** The API client that acted. Null for commands, and for a sign-in with an id that no client has. */
  client_id: string | null
  /** The name of the action, such as `client.disabled`. */
  action: string
  /** The id of the shipment, account, client, tenant, key or workflow. */
  subject: string | null
  /** Fixed words, such as names of fields. */
  detail: string | null
  /** The update of a flow that the entry copies: run id and update id. Null for actions of the service. Unique. */
  source: string | null
}

/** When a process copies the decisions about a tenant's flows into the audit log again. A row per tenant with such a process. */
export interface DecisionCollectionRow {
  tenant_id: string
  /** The end of its interval. A pass that succeeded moves it on. */
  due_at: EpochMillis
}

/** Counts the shipments of a tenant that have ended in a state, up to a moment, which the purge rounds move on. */
export interface ShipmentCountsRow {
  tenant_id: string
  /** The code of a final state. */
  state_code: StateCode
  /** Shipments of the type LocalPupShipment. */
  local_count: number
  /** Shipments of the type CollectOnlyShipment. */
  collect_only_count: number
  /** Shipments with this `state_since` or an earlier one are counted. */
  counted_until: EpochMillis
}

/** Counts the shipments of a tenant from the end of the range before up to a shipment. The purge rounds add ranges. */
export interface ShipmentRangesRow {
  tenant_id: string
  /** The last `shipments.seq` of the range, whether that shipment still exists or not. */
  last_seq: number
  /** Shipments of the type LocalPupShipment. */
  local_count: number
  /** Shipments of the type CollectOnlyShipment. */
  collect_only_count: number
}

/** Counts the shipments of a range that have ended in a state, up to the moment of `ShipmentCountsRow`. */
export interface ShipmentRangeStatesRow {
  tenant_id: string
  /** The range. */
  last_seq: number
  /** The code of a final state. */
  state_code: StateCode
  /** Shipments of the type LocalPupShipment. */
  local_count: number
  /** Shipments of the type CollectOnlyShipment. */
  collect_only_count: number
}

/** Counts the ended shipments of a tenant that changed last in a range of time. The purge rounds add ranges. */
export interface ShipmentChangeRangesRow {
  tenant_id: string
  /** The last `shipments.updated_at` of the range. */
  last_change: EpochMillis
  /** The code of a final state. */
  state_code: StateCode
  /** Shipments of the type LocalPupShipment. */
  local_count: number
  /** Shipments of the type CollectOnlyShipment. */
  collect_only_count: number
}

export interface Tables {
  tenants: TenantRow
  clients: ClientRow
  client_secrets: ClientSecretRow
  secret_attempts: SecretAttemptsRow
  rate_buckets: RateBucketRow
  removals: RemovalRow
  revisions: RevisionRow
  signing_keys: SigningKeyRow
  data_keys: DataKeyRow
  pick_up_points: PickUpPointRow
  pick_up_point_tenants: PickUpPointTenantRow
  lockers: LockerRow
  locker_doors: LockerDoorRow
  accounts: AccountRow
  shipments: ShipmentRow
  shipment_objects: ShipmentObjectRow
  shipment_counts: ShipmentCountsRow
  shipment_ranges: ShipmentRangesRow
  shipment_range_states: ShipmentRangeStatesRow
  shipment_change_ranges: ShipmentChangeRangesRow
  access_codes: AccessCodeRow
  pin_attempts: PinAttemptsRow
  outbox: OutboxRow
  idempotency: IdempotencyRow
  suggestion_uploads: SuggestionUploadRow
  suggestions: SuggestionRow
  suggestion_words: SuggestionWordRow
  sandbox_faults: SandboxFaultsRow
  audit_purges: AuditPurgeRow
  audit_log: AuditRow
  decision_collections: DecisionCollectionRow
}
