/** The argument of the workflow `sweep`. */
export interface SweepInput {
  /** The treatment of orphans: list them, start a flow that adopts them, or cancel those that hold no item. */
  act: 'list' | 'adopt' | 'cancel'
  /** Milliseconds. Cases with a later change are skipped: a booking may be under way. */
  olderThan: number
  /** The flow of cases that Temporal does not know any more. */
  flow?: string
  /** Limits the sweep to this case. */
  caseNo?: string
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
