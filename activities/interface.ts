// What flows can have done, and the plan that they run: types only, so that sandboxed code can import them.
import type {
  FlowInput,
  Notice,
  OrphanedCase,
  ServiceProfile,
  ShipmentStatus,
  SweepOrder,
  SweepReport,
  WindowAnswer,
} from '#contract/terms'
import type { Order } from '#workflows/flows'

/** A stage with everything resolved: nothing that a running flow depends on stays in a module constant. */
export interface PlannedStage {
  name: string
  summary: string
  reached: Record<string, string>
  /** Milliseconds; null: it may take any time. */
  window: number | null
  answer: WindowAnswer | null
  cancels: string[]
  /** The update that brings it about. Not there in plans of before there were any. */
  order?: Order | null
}

/** A role of the flow's shipments, see the declaration. */
export interface PlannedRole {
  name: string
  /** The state that the booking leaves it in. */
  first: string
  /** It was there before the flow. */
  given: boolean
  link: { by: 'swaps' | 'follows' | 'circles'; to: string } | null
}

/** How often a waiting flow asks for itself, in milliseconds. */
export interface Looks {
  first: number
  longest: number
}

/** The shipments of one booking. */
export type BookedSet = BookedShipment[]

/** All that a run depends on, recorded in its history by its first step. */
export interface Plan {
  flow: string
  caseNo: string
  /** Of the request as it was given. */
  fingerprint: string
  operation: string
  /** As sent to the service: checked, in the contract's casing, with the case number in every reference. */
  request: Record<string, unknown>
  /** In the order in which the operation answers its shipments. */
  roles: PlannedRole[]
  stages: PlannedStage[]
  handsBack: Record<string, string>
  /** Milliseconds from the start of the flow. */
  bookingWindow: number
  profile: ServiceProfile
  /** For each state the states that can come after it. */
  reachable: Record<string, string[]>
  looks: Looks
  pickUpPoint: string | null
  user: string | null
  /** Not there when the flow sends none. */
  notices?: PlannedNotices
  /** The flow takes over what is booked already. Not there otherwise. */
  adopt?: true
}

/** How the notices of a flow are sent; where to is the worker's own, and in no history. */
export interface PlannedNotices {
  /** For how long a receiver is tried, in milliseconds. */
  patience: number
  /** So many may wait for their receiver; reminders and stages beyond are not sent. */
  mostUnsent: number
}

export interface PlanOrder {
  flow: string
  workflowId: string
  input: FlowInput
}

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

export interface AccountOrder {
  /** Of CreateOrGetAccount, checked. */
  request: Record<string, unknown>
  profile: ServiceProfile
  idempotencyKey: string
}

/** What CreateOrGetAccount answers; all but the named fields is passed on as it is. */
export interface Account {
  userUid: string | null
  canManageUser: boolean
  mainPupUid: string | null
  mainPupName: string | null
  [field: string]: unknown
}

export interface MadeAccount {
  account: Account
  /** False: the account is there, and its mutation configuration could not be applied. */
  configured: boolean
}

export interface PickUpPointOrder {
  userUid: string
  pickUpPointUid: string
}

export interface MutationConfigOrder {
  userUid: string
  mutationConfig: Record<string, unknown>
}

export interface ImportOrder {
  /** Where the file is fetched from; checked like a callback address. */
  url: string
  reference: string | null
}

/** In the heartbeats of an import, in bytes. */
export interface ImportProgress {
  fetched: number
  sent: number
  /** Of the whole file; null until it is known. */
  size: number | null
}

/** What UploadAccountSuggestions answers, with the first hundred row errors. */
export interface ImportedSuggestions {
  errorCount: number
  errorLogs: { id: number; message: string }[]
  [counter: string]: unknown
}

/** The argument of the workflow `notice`, and of its activity. */
export interface NoticeOrder extends Pick<PlannedNotices, 'patience'> {
  /** The `webhook-id`: the same for every attempt, another one for every notice. */
  id: string
  notice: Notice
}

export interface AdoptOrder {
  orphan: OrphanedCase
  /** Which flow it is, of a case that Temporal does not know. */
  flow?: string
}

export interface FlowActivities {
  /** Checks the input and answers the plan. No I/O. Fails with InvalidFlowInput or UnknownFlow. */
  plan(order: PlanOrder): Promise<Plan>
  /**
   * Books, and reads the shipments back. Fails with the service's code when it refuses.
   * Answers every booking of the flow that it knows of, the oldest first: more than one when an attempt that had no
   * answer came through all the same.
   */
  book(order: BookOrder): Promise<BookedSet[]>
  /** Finds what a booking without an answer may have left, the oldest first. */
  findBooked(order: BookOrder): Promise<BookedSet[]>
  /** The shipments as they are now; one that the service does not know is left out. */
  look(order: LookOrder): Promise<SeenShipment[]>
  /** Cancels what holds no item. */
  cancelShipments(order: CancelShipmentsOrder): Promise<CleanedShipment[]>
  /** Cancels a booking that was kept: who releases it says that the locker is to be free. */
  release(order: ReleaseOrder): Promise<CleanedShipment>
  /**
   * Names who collects a shipment, and answers it as it is then; null where it cannot be read. Fails with the
   * service's code when it refuses, but not when this very user is named already.
   */
  assignReceiver(order: AssignReceiverOrder): Promise<SeenShipment | null>
  /** Makes an account or finds it. Fails with the service's code, except for MutationConfigFailed. */
  makeAccount(order: AccountOrder): Promise<MadeAccount>
  /** Sets the main pick up point; answers the one that is in force now. */
  setAccountPickUpPoint(order: PickUpPointOrder): Promise<string>
  setAccountMutationConfig(order: MutationConfigOrder): Promise<void>
  /** Fetches a file and uploads it. Fails with InvalidFileUrl, FileNotFetched, FileTooLarge or the service's code. */
  importSuggestions(order: ImportOrder): Promise<ImportedSuggestions>
  /** Sends a notice once. Fails with NoticeNotDelivered, to be tried again. */
  sendNotice(order: NoticeOrder): Promise<void>
  /** Active shipments whose case has no running flow. Fails with CannotBeAsked, or the service's code. */
  findOrphans(order: SweepOrder): Promise<SweepReport>
  /** Cancels what holds no item; answers the case as it is then. */
  cancelOrphan(orphan: OrphanedCase): Promise<OrphanedCase>
  /** Starts a flow that takes the case over; answers whether it did. */
  adoptOrphan(order: AdoptOrder): Promise<OrphanedCase>
}
