// The activities that flows call, with their arguments and results: types only, so that sandboxed code can import them.
import type { ServiceProfile } from '#contract/terms'
import type {
  BookingResult,
  CalendarRule,
  FlowNotification,
  FlowPlan,
  Json,
  OrphanedCase,
  PlanFlowInput,
  PlannedNotifications,
  PlannedRole,
  RunCall,
  ShipmentStatus,
  SweepInput,
  SweepReport,
} from '#flows'

export interface FlowActivities {
  /** Checks the input and returns the plan. No I/O. Fails with InvalidFlowInput, UnknownFlow or AmbiguousBooking. */
  planFlow(input: PlanFlowInput): Promise<FlowPlan>
  /**
   * Plans. It also books if the first step of the plan is a book step and an attempt without a response can be repeated
   * with its key: the caller waits for this booking, and one activity is saved. Fails like planFlow and bookShipments.
   */
  planAndBook(input: PlanAndBookInput): Promise<PlannedBooking>
  /**
   * Books for one step, and reads the shipments back. Checks the request first, and fills in the case number. Fails with
   * InvalidFlowInput for a request that does not match the operation, with the service's code for a business refusal, and
   * with BookingUncertain. The result is every booking that belongs to the step, the oldest first: more than one after an
   * attempt whose response was lost has booked too. It cancels nothing, and can be repeated with the same input.
   */
  bookShipments(input: BookStepInput): Promise<Booking[]>
  /**
   * The bookings of a step's attempts without a response, the oldest first: shipments of the case that `others` does not
   * contain, whose links and users fit, created since `since`. Empty for a service that cannot be read.
   */
  findBookings(input: BookStepInput): Promise<Booking[]>
  /**
   * Calls an operation that books nothing. Returns the kept fields of its response, without access codes and secrets.
   * A tolerated refusal returns `error` with its code, and the kept fields of the refusal. Fails with
   * InvalidFlowInput for a request that does not match the operation, with the service's code for any other refusal,
   * with OutputTooLarge, and with CallUncertain for a create without a response if the service has no idempotency keys.
   * It can be repeated with the same input: reads and changes repeat, a create sends its key. If the service refuses the
   * repetition of a change, and a read shows that the change has taken effect, it returns the response to the change.
   */
  callOperation(input: CallOperationInput): Promise<Record<string, Json>>
  /**
   * The activity of the flow importAccountSuggestions, in the form of a team's own. Fails with InvalidFlowInput,
   * InvalidFileUrl, FileNotFetched, FileTooLarge or the service's code.
   */
  importSuggestions(input: ImportSuggestionsInput, call?: RunCall): Promise<ImportedSuggestions>
  /**
   * Resolves the end of a step by a calendar. Fails with InvalidFlowInput for a calendar without working days, and without
   * a time zone. No Temporal.
   */
  resolveMoment(input: ResolveMomentInput): Promise<ResolvedMoment>
  /** Reads the current shipments. Shipments that the service does not know are missing in the result. */
  readShipments(input: ReadShipmentsInput): Promise<ShipmentSnapshot[]>
  /** Cancels the shipments that hold no item. */
  cancelShipments(input: CancelShipmentsInput): Promise<CleanedShipment[]>
  /** Undoes a booking that no caller has learned of. */
  undoBooking(input: UndoBookingInput): Promise<CleanedShipment[]>
  /** Sends a notification once. Fails with NotificationNotDelivered, which is retried. */
  sendNotification(input: DeliverNotificationInput): Promise<void>
  /** Waits for the booking of a flow. Fails with the code with which the flow ended, and with BookingPending, which is retried. */
  awaitBooking(input: AwaitBookingInput): Promise<BookingResult>
  /** Cancels the flow of a case, and waits until it is cleaned up. Fails with BookingPending, which is retried. */
  cancelCase(input: AwaitBookingInput): Promise<void>
  /** Finds active shipments whose case has no running flow. Fails with ReadsUnsupported, or the service's code. */
  findOrphans(input: SweepInput): Promise<SweepReport>
  /** Cancels the shipments that hold no item; returns the case with their new states. */
  cancelOrphan(input: CancelOrphanInput): Promise<OrphanedCase>
  /** Starts a flow that adopts the case; the result says whether it did. */
  adoptOrphan(input: AdoptOrphanInput): Promise<OrphanedCase>
}

/** The argument of activities that wait for a flow on behalf of a Nexus operation. */
export interface AwaitBookingInput {
  caseNo: string
  /** All attempts with it are one caller of the flow. */
  key: string
}

export interface PlannedBooking {
  plan: FlowPlan
  /** The result of `bookShipments` for the first step of the plan; null without an attempt. */
  bookings: Booking[] | null
}

/** The argument of activities that book for a step, or search its bookings. */
export interface BookStepInput {
  operation: string
  /** The value of the step's `request`. */
  request: Record<string, unknown>
  roles: PlannedRole[]
  caseNo: string
  profile: ServiceProfile
  /** See `toStepKey`. */
  idempotencyKey: string
  /** The start of the step's first attempt: older shipments do not belong to it. ISO 8601. */
  since: string
  /** The uids of the shipments of all other bookings of the flow; absent without any. */
  others?: string[]
  /**
   * Takes over an existing booking of the case instead of creating one. Fails with NothingToAdopt unless one fits.
   *
   * - active: an active booking.
   * - any: also one that has ended, for a flow with later book steps.
   * - anyOrNew: creates one if none fits, in a later book step.
   */
  adopt?: 'active' | 'any' | 'anyOrNew'
}

export interface CallOperationInput {
  operation: string
  /** The value of the step's `request`. */
  request: Record<string, unknown>
  caseNo: string
  profile: ServiceProfile
  /** See `toStepKey`. */
  idempotencyKey: string
  /** The fields of the response that are returned; absent: all of them. */
  keep?: string[]
  /** The refusals that are a result: the codes of the step's `onError`, without those that fail. */
  tolerated?: string[]
  /** The change may have taken effect before the first attempt: a refusal because of that is its success. */
  mayBeDone?: true
}

export interface PlanAndBookInput extends PlanFlowInput {
  firstRunId: string
  since: string
}

/** A shipment as the service returns it, without access codes. */
export interface BookedShipment extends ShipmentStatus {
  role: string
  pupUid: string | null
  lockerName: string | null
  /** Absent while the locker works, and from services that do not report it. */
  lockerOutOfService?: true
}

/** The shipments of one booking. */
export type Booking = BookedShipment[]

export type ShipmentSnapshot = Omit<BookedShipment, 'role'>

/** In the details of a failure that a response of the service caused. */
export interface AnsweredRequest {
  /** The id under which the service logged the request. */
  requestId?: string
}

/** In the details of a failed attempt. */
export interface FailedAttempt extends AnsweredRequest {
  /** Counted from 1. */
  attempt: number
  /** The call had no response and may have taken effect. */
  outcomeUnknown: boolean
  /** No earlier attempt of the same activity can have taken effect either. Absent when one can, and in older histories. */
  earlierCertain?: true
  /** The pause that the service asked for, in milliseconds: workflows do not see the delay of the next retry. */
  pause?: number
}

export interface ResolveMomentInput {
  step: string
  rule: CalendarRule
  /** ISO 8601. */
  from: string
  /** Its time zone and calendar apply; null for a flow without one. */
  pickUpPointUid: string | null
}

export interface ResolvedMoment {
  /** ISO 8601 in UTC. */
  moment: string
  timeZone: string
}

export interface ReadShipmentsInput {
  shipmentUids: string[]
}

export interface CancelShipmentsInput {
  shipments: { shipmentUid: string; stateCode: string }[]
  profile: ServiceProfile
  /** States in which these shipments hold no item, although others do. */
  unusedStates?: string[]
}

export interface UndoBookingInput {
  shipments: Booking
  roles: PlannedRole[]
  caseNo: string
  /** The receiver in the request; null without one. */
  toUserUid: string | null
  profile: ServiceProfile
  /** An earlier run may have told callers of the booking, so that the usual rules of a clean-up apply. */
  announced: boolean
}

/** A shipment after the clean-up; `left` is the reason why it was not cancelled. */
export interface CleanedShipment {
  shipmentUid: string
  stateCode: string
  left: string | null
}

export interface ImportSuggestionsInput {
  /** The address of the file; checked like a callback address. */
  url: string
  reference: string | null
}

/** Heartbeat details of an import, in bytes. */
export interface ImportProgress {
  fetched: number
  sent: number
  /** Size of the whole file; null while unknown. */
  size: number | null
}

/** The response of UploadAccountSuggestions, with at most the first hundred row errors. */
export interface ImportedSuggestions {
  errorCount: number
  errorLogs: { id: number; message: string }[]
  [counter: string]: unknown
}

/** The argument of the workflow `notification`, and of its activity. */
export interface DeliverNotificationInput extends Pick<PlannedNotifications, 'deliveryTimeout'> {
  /** The `webhook-id`: the same for every attempt, another one for every notification. */
  id: string
  notification: FlowNotification
}

export interface CancelOrphanInput {
  orphan: OrphanedCase
  /** The shipments come from creates that reached the service after the end of their flow. */
  late: boolean
}

export interface AdoptOrphanInput {
  orphan: OrphanedCase
  /** The flow of a case that Temporal does not know. */
  flow?: string
}
