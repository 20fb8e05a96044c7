// What flows can have done, and the plan that they run: types only, so that sandboxed code can import them.
import type { OrphanedCase, SweepOrder, SweepReport } from '#contract/terms'
import type {
  AccountOrder,
  AdoptOrder,
  AssignReceiverOrder,
  BookedSet,
  BookOrder,
  CancelShipmentsOrder,
  CleanedShipment,
  FirstBooking,
  FirstOrder,
  ImportedSuggestions,
  ImportOrder,
  LookOrder,
  MadeAccount,
  MutationConfigOrder,
  NoticeOrder,
  PickUpPointOrder,
  Plan,
  PlanOrder,
  ReleaseOrder,
  SeenShipment,
} from './orders/index.ts'

export type * from './orders/index.ts'

export interface FlowActivities {
  /** Checks the input and answers the plan. No I/O. Fails with InvalidFlowInput or UnknownFlow. */
  plan(order: PlanOrder): Promise<Plan>
  /**
   * Plans, and books at once where an attempt that has no answer can be repeated; null where it cannot. Spares the
   * caller who waits for the booking a step. Fails like the two.
   */
  planAndBook(order: FirstOrder): Promise<FirstBooking>
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
