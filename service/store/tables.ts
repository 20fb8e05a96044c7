import type { ColumnType, Generated } from 'kysely'
import type { CallbackAuthType } from '#contract'
import type { ShipmentType, StateCode } from '#contract/terms'

/** A yes or no as both stores keep it: 0 or 1. */
export type Flag = 0 | 1
/** Milliseconds since 1970. */
export type Millis = number

export interface TenantRow {
  tenant_id: string
  /** The main account of the dispatcher (specification, What the service does). */
  dispatcher_user_uid: string
  callback_url: string | null
  callback_auth_type: CallbackAuthType
  callback_key: string | null
  /** Still signed with for 24 hours after `callback_key_since`. */
  callback_key_previous: string | null
  callback_key_since: Millis | null
}

export interface ClientRow {
  client_id: string
  tenant_id: string
  secret_salt: string
  secret_hash: string
}

export interface SigningKeyRow {
  kid: string
  /** JWK as JSON: private when the service made it, only the public part when a setting gave it. */
  jwk: string
  created: Millis
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
}

/** Which tenants manage which pick up point. */
export interface PickUpPointTenantRow {
  pup_uid: string
  tenant_id: string
}

export interface LockerRow {
  locker_uid: string
  pup_uid: string
  name: string
  /** Order of the names as people count them. */
  position: number
  width: number
  height: number
  length: number
  /** The three sides sorted, so that "fits in some orientation" is three comparisons. Centimetres. */
  shortest: number
  middle: number
  longest: number
  volume: number
  /** 1 while an active shipment is booked on it. */
  booked: Flag
}

export interface AccountRow {
  user_uid: string
  user_name: string
  /** Lower case; unique. */
  user_name_key: string
  email: string
  /** Lower case; unique. */
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
  mail_code: string
  /** The nine mutation flags as JSON: flag to boolean or null. */
  mutation_config: string
  created: Millis
}

export interface ShipmentRow {
  /** Order of creation. */
  seq: Generated<number>
  shipment_uid: string
  tenant_id: string
  shipment_type: ShipmentType
  state_code: StateCode
  state_start: Millis
  created: Millis
  /** Last change of anything. */
  activity: Millis
  reference_no: string | null
  reference_case_no: string | null
  description: string | null
  from_user_uid: string | null
  to_user_uid: string | null
  pup_uid: string
  locker_uid: string | null
  pick_up_code: string | null
  delivery_code: string | null
  width: number
  height: number
  length: number
  swaps_shipment_uid: string | null
  prior_shipment_uid: string | null
  circular_prior_shipment_uid: string | null
  kept: Flag
  /** May be issued from stock. */
  stock: Flag
}

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
  height: number | null
  length: number | null
}

/** Codes that open a locker now; the primary key keeps them unique at a pick up point. */
export interface AccessCodeRow {
  pup_uid: string
  code: string
}

/** Wrong pin codes at one locker. */
export interface AttemptRow {
  locker_uid: string
  failures: number
  locked_until: Millis
}

/** A callback that has not been delivered yet; delivered ones are deleted. */
export interface OutboxRow {
  /** Order of the changes. */
  seq: Generated<number>
  message_id: string
  tenant_id: string
  shipment_uid: string
  body: string
  created: Millis
  attempts: ColumnType<number, number | undefined, number>
  due: Millis
  /** Somebody is sending it until then. */
  leased_until: ColumnType<Millis, Millis | undefined, Millis>
}

/** The first answer to an Idempotency-Key, kept for 24 hours. */
export interface IdempotencyRow {
  client_id: string
  key: string
  fingerprint: string
  status: number
  answer: string
  created: Millis
}

/** An upload of suggestions: the active one of its tenant, one that is being read, or one whose time is over. */
export interface SuggestionUploadRow {
  upload_id: string
  tenant_id: string
  active: Flag
  /** An upload that is not active may be swept away from then on; 0: it was replaced or given up. */
  staged_until: Millis
  reference: string | null
  created: Millis
}

export interface SuggestionRow {
  upload_id: string
  /** Lower case; unique in its upload. */
  email_key: string
  /** In the file. */
  row_number: number
  email: string
  phone_number: string | null
  language_code: string | null
  first_name: string | null
  last_name: string | null
  remarks: string | null
  /** Uid or name, as given. */
  pick_up_point: string | null
  /** Names and address in lower case: what searches look at. */
  search_key: string
}

export interface SandboxFaultsRow {
  tenant_id: string
  mutation_config_fails: Flag
  hardware_fails: Flag
}

export interface Tables {
  tenants: TenantRow
  clients: ClientRow
  signing_keys: SigningKeyRow
  pick_up_points: PickUpPointRow
  pick_up_point_tenants: PickUpPointTenantRow
  lockers: LockerRow
  accounts: AccountRow
  shipments: ShipmentRow
  shipment_objects: ShipmentObjectRow
  access_codes: AccessCodeRow
  attempts: AttemptRow
  outbox: OutboxRow
  idempotency: IdempotencyRow
  suggestion_uploads: SuggestionUploadRow
  suggestions: SuggestionRow
  sandbox_faults: SandboxFaultsRow
}
