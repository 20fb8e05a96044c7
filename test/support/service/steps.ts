import type { OperationName } from '#contract'

/** Operations that create shipments, by the end of their name or by their options. */
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
  /** Without users, and with a delayed receiver. */
  StockSwap: 'CreateLocalShipment',
  CollectOnly: 'CreateCollectOnlyShipment',
  CollectOnlyKept: 'CreateCollectOnlyShipment',
  CollectOnlyByDispatcher: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
  CollectOnlyByUser: 'CreateCollectOnlyShipmentAsCollectByUser',
} as const satisfies Record<string, OperationName>

type Making = keyof typeof makings

/** The steps of a shipment, and the operation of each. */
const happenings = {
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
 * A step, usually with its shipment. Shipments are called a, b, c in the order of their creation.
 */
export type Step = Making | `${Making} ${string}` | `${Happening} ${string}`

/** The operation of a step. @throws Error if the step creates no shipment */
export function makingOf(step: Step): OperationName {
  const found = Object.entries(makings).find(([verb]) => verb === step.split(' ')[0])
  if (found === undefined) throw new Error(`${step} creates no shipment`)
  return found[1]
}
