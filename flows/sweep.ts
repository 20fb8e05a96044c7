/** The argument of the workflow `sweep`. */
export interface SweepInput {
  /** The treatment of orphans: list them, start a flow that adopts them, or cancel those that hold no item. */
  act: 'list' | 'adopt' | 'cancel'
  /** Milliseconds. Cases with a later change are skipped: a booking may be in progress. */
  olderThan: number
  /** The flow of cases that Temporal no longer knows. */
  flow?: string
  /** Limits the sweep to this case. */
  caseNo?: string
  /** Limits the sweep to creates that reached the service after their flow had ended. */
  late?: LateBookings
}

/** The sweep that a flow leaves behind while a create without a response can still reach the service. */
export interface LateBookings {
  /** The time until no create can be late, in milliseconds. The sweep begins after it. */
  delay: number
  /** The uids of the shipments that the flow has dealt with. */
  known: string[]
  /** The run that leaves the sweep behind. Absent in sweeps of an earlier build. */
  runId?: string
}

/** An active shipment whose case has no running flow. */
export interface OrphanedShipment {
  shipmentUid: string
  stateCode: string
  pupUid: string | null
  lockerName: string | null
  /** The start of its state; ISO 8601 in UTC. */
  since: string
  /** The reason why it was not cancelled. */
  left?: string
}

export interface OrphanedCase {
  caseNo: string
  /** Null when Temporal does not know the case. */
  flow: string | null
  /** The reason why the case has no running flow. */
  reason: string
  shipments: OrphanedShipment[]
  /** The result of `adopt`: true if a flow has adopted the case. */
  adopted?: boolean
  /** The reason why the case was skipped. */
  left?: string
}

/** The result of a sweep. */
export interface SweepReport {
  cases: OrphanedCase[]
  /** The number of cases that changed within `olderThan`. */
  tooRecent: number
  /** The number of cases whose flow completed with active shipments as outputs, for instance stock. They are not listed. */
  completed: number
  /** False if there are more cases than one sweep reports. */
  allListed: boolean
}
