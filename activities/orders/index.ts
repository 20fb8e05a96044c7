// What activities are asked and what they answer: types only.
// The activities' own interface is the door; nobody else imports this.
export type {
  Account,
  AccountOrder,
  MadeAccount,
  MutationConfigOrder,
  PickUpPointOrder,
} from './accounts.ts'
export type {
  AssignReceiverOrder,
  BookedSet,
  BookedShipment,
  BookOrder,
  CancelShipmentsOrder,
  CleanedShipment,
  FailedAttempt,
  FirstBooking,
  FirstOrder,
  LookOrder,
  ReleaseOrder,
  SeenShipment,
} from './booking.ts'
export type { NoticeOrder } from './notices.ts'
export type {
  Looks,
  Plan,
  PlannedNotices,
  PlannedRole,
  PlannedStage,
  PlanOrder,
} from './plan.ts'
export type {
  ImportedSuggestions,
  ImportOrder,
  ImportProgress,
} from './suggestions.ts'
export type { AdoptOrder } from './sweep.ts'
