import type { Examples } from './index.ts'
import { drill, texts, uids } from './names.ts'

const issuing = {
  PriorShipmentUid: uids.stock,
  ToUserUid: uids.user,
  Issue: { ReferenceCaseNo: texts.ReferenceCaseNo },
}

/** Bookings that follow a shipment and have its locker. */
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
