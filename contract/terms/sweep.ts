/** What a sweep is told; the argument of the workflow `sweep`. */
export interface SweepOrder {
  /** With what it finds: nothing, take it over by a new flow, or cancel what holds no item. */
  act: 'list' | 'adopt' | 'cancel'
  /** Cases in which something changed later than so many milliseconds ago are left alone: a booking may be under way. */
  olderThan: number
  /** Which flow a case belongs to that Temporal does not know any more. */
  flow?: string
  /** This case alone. */
  caseNo?: string
}

/** An active shipment whose case has no running flow. */
export interface OrphanedShipment {
  shipmentUid: string
  stateCode: string
  pupUid: string | null
  lockerName: string | null
  /** When it came into its state; ISO 8601 in UTC. */
  since: string
  /** Why it was not cancelled, when it was to be. */
  left?: string
}

export interface OrphanedCase {
  caseNo: string
  /** Null when Temporal does not know the case. */
  flow: string | null
  /** Why no flow looks after it. */
  why: string
  shipments: OrphanedShipment[]
  /** Whether a flow has taken it over, when one was to. */
  adopted?: boolean
  /** Why nothing was done about the case, when something was to be. */
  left?: string
}

/** The result of a sweep. */
export interface SweepReport {
  cases: OrphanedCase[]
  /** Cases that are too young to be judged. */
  young: number
  /** Cases whose flow completed as declared and handed its shipments back, stock for instance; they are not listed. */
  handedBack: number
  /** False: there are more than one sweep takes; the next one finds them. */
  isWhole: boolean
}
