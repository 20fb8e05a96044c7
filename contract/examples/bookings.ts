import type { Examples } from './index.ts'
import { drill, lockerName, places, texts, uids } from './names.ts'

const booking = {
  PupUid: places.square,
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: drill,
  Details: texts,
}
const collecting = { ...booking, KeepBookedAfterPickUp: false }
const fromSquare = { pupUid: places.square, lockerName }

/** Bookings of a locker by size. */
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
      PupUid: places.square,
      ToUserUid: uids.user,
      AllowLargerLockers: true,
      AllowOverflowLockers: false,
      Dimension: drill,
      ...texts,
    },
    response: { shipmentUid: uids.issue, ...fromSquare },
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
    request: { ...collecting, ToUserUid: uids.user },
    response: { shipmentUid: uids.collection, ...fromSquare },
  },
  CreateCollectOnlyShipmentAsCollectByDispatcher: {
    request: { ...collecting, KeepBookedAfterPickUp: true },
    response: { shipmentUids: [uids.collection] },
  },
  CreateCollectOnlyShipmentAsCollectByUser: {
    request: { ...collecting, ToUserUid: uids.user },
    response: { shipmentUids: [uids.collection] },
  },
}
