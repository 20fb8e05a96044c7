import { drill, type Examples, lockerName, pickUpPoints, texts, uids } from './example.ts'

const booking = {
  PupUid: pickUpPoints.square,
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: drill,
  Details: texts,
}
const collectOnly = { ...booking, KeepBookedAfterPickUp: false }
const location = { pupUid: pickUpPoints.square, lockerName }

/** Operations that book a locker by size. */
export const bookings: Examples<
  | 'CreateLocalShipment'
  | 'CreateLocalShipmentAsIssue'
  | 'CreateLocalShipmentAsIssueAndSwapIntake'
  | 'CreateLocalShipmentAsStock'
  | 'CreateLocalShipmentAsIntake'
  | 'CreateLocalShipmentAsIntakeAndCircularStock'
  | 'CreateCollectOnlyShipment'
  | 'CreateCollectOnlyShipmentAsCollectByDispatcher'
  | 'CreateCollectOnlyShipmentAsCollectByUser'
> = {
  CreateLocalShipment: {
    request: {
      PupUid: pickUpPoints.square,
      ToUserUid: uids.user,
      AllowLargerLockers: true,
      AllowOverflowLockers: false,
      Dimension: drill,
      ...texts,
    },
    response: { shipmentUid: uids.issue, ...location },
  },
  CreateLocalShipmentAsIssue: {
    request: { ...booking, ToUserUid: uids.user },
    response: { shipmentUids: [uids.issue] },
  },
  CreateLocalShipmentAsIssueAndSwapIntake: {
    request: { ...booking, ToUserUid: uids.user, Return: { ...texts, Description: 'Broken drill, serial 4523' } },
    response: { shipmentUids: [uids.issue, uids.intake] },
  },
  CreateLocalShipmentAsStock: {
    request: booking,
    response: { shipmentUids: [uids.stock] },
  },
  CreateLocalShipmentAsIntake: {
    request: { ...booking, FromUserUid: uids.user },
    response: { shipmentUids: [uids.intake] },
  },
  CreateLocalShipmentAsIntakeAndCircularStock: {
    request: { ...booking, FromUserUid: uids.user },
    response: { shipmentUids: [uids.intake, uids.stock] },
  },
  CreateCollectOnlyShipment: {
    request: { ...collectOnly, ToUserUid: uids.user },
    response: { shipmentUid: uids.collection, ...location },
  },
  CreateCollectOnlyShipmentAsCollectByDispatcher: {
    request: { ...collectOnly, KeepBookedAfterPickUp: true },
    response: { shipmentUids: [uids.collection] },
  },
  CreateCollectOnlyShipmentAsCollectByUser: {
    request: { ...collectOnly, ToUserUid: uids.user },
    response: { shipmentUids: [uids.collection] },
  },
}
