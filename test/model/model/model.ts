import type { CallbackAuthType, MutationFlag } from '#contract'
import type { Link, ShipmentType, StateCode } from '#contract/terms'

/** The model's name for an identifier or a code of the service: `shipment 3`, `code 12`. */
export type Name = string
/** Stands for a text that the specification leaves to the service. */
export const anyText = '*'
export type Kind = 'shipment' | 'user' | 'object' | 'code' | 'mail' | 'key'

export interface Texts {
  referenceNo: string | null
  referenceCaseNo: string | null
  description: string | null
}

export interface Sides {
  readonly width: number
  readonly height: number
  readonly length: number
}

export interface ShipmentObject {
  readonly shipmentObjectUid: Name
  readonly referenceNo: string | null
  readonly description: string | null
  readonly weight: number | null
  readonly count: number | null
  readonly dimension: Sides | null
}

export interface Shipment extends Texts {
  readonly name: Name
  readonly tenant: string
  readonly type: ShipmentType
  state: StateCode
  stateStart: number
  readonly created: number
  /** Time of the last change, milliseconds since 1970. */
  activity: number
  from: Name
  to: Name | null
  readonly pupUid: string
  readonly lockerUid: string
  readonly sides: Sides
  pickUpCode: Name
  deliveryCode: Name
  /** The link to the prior shipment. */
  readonly link: { readonly kind: Link; readonly prior: Name } | null
  readonly kept: boolean
  /** Can be issued from stock if it has no receiver. */
  readonly stock: boolean
  /** The sender is the receiver of the prior shipment. */
  readonly senderDerived: boolean
  objects: ShipmentObject[]
}

export interface Account {
  readonly name: Name
  /** Null: the e-mail address. */
  userName: string | null
  emailAddress: string
  firstName: string
  lastName: string
  phoneNumber: string | null
  languageCode: string | null
  mainPupUid: string
  readonly mailCode: Name
  /** The tenant whose dispatcher it is. */
  readonly dispatcherOf: string | null
  flags: Record<MutationFlag, boolean | null>
}

/** A change of state that needs a callback. */
export interface Announcement extends Texts {
  readonly tenant: string
  readonly shipmentUid: Name
  readonly stateCode: StateCode
  readonly stateStart: string
  readonly shipmentType: ShipmentType
  readonly pupUid: string
  readonly fromUserUid: Name
  readonly toUserUid: Name | null
}

export interface Suggested {
  readonly emailAddress: string
  readonly phoneNumber: string | null
  readonly languageCode: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly remarks: string | null
  readonly pickUpPoint: string | null
}

export interface Tenant {
  /** The dispatcher's main account. */
  readonly dispatcher: Name
  callback: { url: string | null; authType: CallbackAuthType; key: Name | null }
  faults: { mutationConfigFails: boolean; hardwareFails: boolean }
  suggestions: Suggested[]
}

/** The stored response of an Idempotency-Key. */
export interface Kept {
  readonly client: string
  readonly key: string
  readonly request: string
  readonly at: number
  /** The account in the response. */
  readonly account: Name | null
  /** True after that account was removed. */
  readonly hidden: boolean
}

/** The state of the service as plain data. */
export interface Model {
  /** Milliseconds since 1970. */
  now: number
  /** The number of names of each kind. */
  named: Record<Kind, number>
  tenants: Record<string, Tenant>
  accounts: Account[]
  shipments: Shipment[]
  /** Wrong pin codes by tenant and locker. */
  attempts: Record<string, { failures: number; lockedUntil: number }>
  kept: Kept[]
  /** The lockers and pick up points that are out of service, by their uids. */
  outOfService: Record<string, { reason: string; since: number }>
  announced: Announcement[]
}

/** The key of a tenant's wrong pin codes at a locker. */
export const pressedAt = (tenant: string, lockerUid: string) => `${tenant} at ${lockerUid}`

export function newName(model: Model, kind: Kind): Name {
  model.named[kind] += 1
  return `${kind} ${model.named[kind]}`
}

/** The time as the API writes it: in UTC, without an offset. */
export function toUtcWithoutOffset(moment: number): string {
  return new Date(moment).toISOString().slice(0, -1)
}
