import { drill, type Examples, texts, uids } from './example.ts'

const issuing = {
  PriorShipmentUid: uids.stock,
  ToUserUid: uids.user,
  Issue: { ReferenceCaseNo: texts.ReferenceCaseNo },
}

/** Operations that create a linked shipment in the locker of a prior one. */
export const linkedBookings: Examples<
  | 'CreateLocalShipmentAsStockAfterSwapIntake'
  | 'CreateLocalShipmentAsIssueFromStock'
  | 'CreateLocalShipmentAsIssueFromStockAndSwapIntake'
  | 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock'
> = {
  CreateLocalShipmentAsStockAfterSwapIntake: {
    request: { PriorShipmentUid: uids.intake, Dimension: drill, Details: texts },
    response: { shipmentUids: [uids.stock] },
  },
  CreateLocalShipmentAsIssueFromStock: {
    request: issuing,
    response: { shipmentUids: [uids.issue] },
  },
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: {
    request: { ...issuing, Return: { ...texts, Description: 'Broken drill, serial 4523' } },
    response: { shipmentUids: [uids.issue, uids.intake] },
  },
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: {
    request: { ...issuing, Return: texts, Details: texts },
    response: { shipmentUids: [uids.issue, uids.intake, uids.stock] },
  },
}
