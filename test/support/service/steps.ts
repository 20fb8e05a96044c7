import type { OperationName } from '#contract'

/** Operations that make shipments, by the end of their name or by what is asked of them. */
export const makings = {
  Issue: 'CreateLocalShipmentAsIssue',
  IssueAndSwapIntake: 'CreateLocalShipmentAsIssueAndSwapIntake',
  Stock: 'CreateLocalShipmentAsStock',
  StockAfterSwapIntake: 'CreateLocalShipmentAsStockAfterSwapIntake',
  IssueFromStock: 'CreateLocalShipmentAsIssueFromStock',
  IssueFromStockAndSwapIntake: 'CreateLocalShipmentAsIssueFromStockAndSwapIntake',
  Intake: 'CreateLocalShipmentAsIntake',
  IntakeAndCircularStock: 'CreateLocalShipmentAsIntakeAndCircularStock',
  IssueFromStockAndSubsequentIntakeAndCircularStock:
    'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
  Local: 'CreateLocalShipment',
  LocalSwap: 'CreateLocalShipment',
  CollectOnly: 'CreateCollectOnlyShipment',
  CollectOnlyKept: 'CreateCollectOnlyShipment',
  CollectOnlyByDispatcher: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
  CollectOnlyByUser: 'CreateCollectOnlyShipmentAsCollectByUser',
} as const satisfies Record<string, OperationName>

type Making = keyof typeof makings

/** What happens to a shipment, and the operation that makes it happen. */
export const happenings = {
  dropOff: 'SimulateLockerAccess',
  pickUp: 'SimulateLockerAccess',
  'unlock DropOff': 'UnlockShipmentLocker',
  'unlock PickUp': 'UnlockShipmentLocker',
  cancel: 'CancelShipment',
  setReceiver: 'SetShipmentReceiver',
  removeReceiver: 'SetShipmentReceiver',
  setDetails: 'SetShipmentDetails',
  addObject: 'AddShipmentObject',
  removeObject: 'RemoveShipmentObject',
} as const satisfies Record<string, OperationName>

type Happening = keyof typeof happenings

/**
 * What somebody does, and for most of it the shipment that it is about: they are called a, b, c in the order in which
 * they are made.
 */
export type Step = Making | `${Making} ${string}` | `${Happening} ${string}`

/** The operation that a step calls; throws when it makes nothing. */
export function makingOf(step: Step): OperationName {
  const found = Object.entries(makings).find(([verb]) => verb === step.split(' ')[0])
  if (found === undefined) throw new Error(`${step} makes nothing`)
  return found[1]
}
