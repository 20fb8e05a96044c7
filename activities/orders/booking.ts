import type { ServiceProfile, ShipmentStatus } from '#contract/terms'
import type { Plan, PlannedRole, PlanOrder } from './plan.ts'

export interface BookOrder {
  operation: string
  request: Record<string, unknown>
  roles: PlannedRole[]
  caseNo: string
  profile: ServiceProfile
  /** Case number, first execution run id, operation: a reset books nothing twice. */
  idempotencyKey: string
  /** ISO 8601; shipments made before the flow are not its own. */
  since: string
  /** What is booked already is taken over, and nothing is booked. */
  adopt?: true
}

/** What a flow knows before it is planned. */
export interface FirstOrder extends PlanOrder {
  firstRunId: string
  since: string
}

export interface FirstBooking {
  plan: Plan
  /** As `book` answers them; null when nothing was tried. */
  sets: BookedSet[] | null
}

/** In the details of a failed attempt. */
export interface FailedAttempt {
  /** Counted from 1. */
  attempt: number
  /** The call may have taken effect although it had no answer. */
  maybeDone: boolean
}

/** A shipment as the service has it, without its codes. */
export interface BookedShipment extends ShipmentStatus {
  role: string
  pupUid: string | null
  lockerName: string | null
}

/** The shipments of one booking. */
export type BookedSet = BookedShipment[]

export interface LookOrder {
  shipmentUids: string[]
}

export type SeenShipment = Omit<BookedShipment, 'role'>

export interface CancelShipmentsOrder {
  shipments: { shipmentUid: string; stateCode: string }[]
  profile: ServiceProfile
}

/** What became of one shipment in the clean-up; `left` says why it was not cancelled. */
export interface CleanedShipment {
  shipmentUid: string
  stateCode: string
  left: string | null
}

/** What becomes of a kept booking is what becomes of a shipment in the clean-up. */
export interface ReleaseOrder {
  shipmentUid: string
  stateCode: string
  profile: ServiceProfile
}

export interface AssignReceiverOrder {
  shipmentUid: string
  toUserUid: string
  profile: ServiceProfile
}
