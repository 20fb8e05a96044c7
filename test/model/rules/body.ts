import type { OperationName } from '#contract'
import type { ErrorCode } from '#contract/terms'

export type Fields = Readonly<Record<string, unknown>>

const locker = ['PupUid', 'AllowLargerLockers', 'AllowOverflowLockers', 'Dimension']
const collecting = [...locker, 'KeepBookedAfterPickUp']
const issuing = ['PriorShipmentUid', 'ToUserUid']
const person = ['emailAddress', 'firstName', 'lastName', 'pickUpPointUid']

/** The required fields of each operation. */
export const needs: Readonly<Record<OperationName, readonly string[]>> = {
  CreateLocalShipment: locker,
  CreateLocalShipmentAsIssue: [...locker, 'ToUserUid'],
  CreateLocalShipmentAsIssueAndSwapIntake: [...locker, 'ToUserUid'],
  CreateLocalShipmentAsStock: locker,
  CreateLocalShipmentAsStockAfterSwapIntake: ['PriorShipmentUid', 'Dimension'],
  CreateLocalShipmentAsIssueFromStock: issuing,
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: issuing,
  CreateLocalShipmentAsIntake: [...locker, 'FromUserUid'],
  CreateLocalShipmentAsIntakeAndCircularStock: [...locker, 'FromUserUid'],
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: issuing,
  CreateCollectOnlyShipment: collecting,
  CreateCollectOnlyShipmentAsCollectByDispatcher: collecting,
  CreateCollectOnlyShipmentAsCollectByUser: [...collecting, 'ToUserUid'],
  SetShipmentDetails: ['shipmentUid', 'ReferenceNo', 'ReferenceCaseNo'],
  AddShipmentObject: ['shipmentUid', 'details'],
  RemoveShipmentObject: ['shipmentUid', 'shipmentObjectUid'],
  SetShipmentReceiver: ['shipmentUid'],
  CancelShipment: ['shipmentUid'],
  UnlockShipmentLocker: ['shipmentUid'],
  GetShipmentAccessCode: ['shipmentUid'],
  GetShipments: [],
  GetLocalShipments: [],
  GetCollectOnlyShipments: [],
  SimulateLockerAccess: ['pupUid', 'lockerName', 'pinCode'],
  SetAccountDetails: ['userUid'],
  SetAccountPickUpPoint: ['userUid', 'pickUpPointUid'],
  SetAccountMutationConfig: ['userUid'],
  RemoveAccount: ['userUid'],
  CreateAccount: person,
  CreateOrGetAccount: person,
  GetAccount: [],
  GetAccountMutationConfig: ['userUid'],
  UploadAccountSuggestions: [],
  GetAccountSuggestions: [],
  GetPickUpPoints: [],
  ConfigureCallback: ['authType'],
  SetSandboxFaults: [],
}

const names = ['firstName', 'lastName']
const address = ['streetName', 'streetNo', 'mailbox', 'city', 'countryCode']

/** Conditions on several fields of an operation. */
const together: Readonly<Partial<Record<OperationName, (fields: Fields) => boolean>>> = {
  CreateLocalShipment: ({ FromUserUid, ToUserUid, SwapsShipmentUid, IsReceiverDelayed }) =>
    IsReceiverDelayed === true
      ? ToUserUid == null && (FromUserUid ?? SwapsShipmentUid) != null
      : (FromUserUid ?? ToUserUid) != null,
  SetShipmentReceiver: ({ toUserUid, removeReceiver }) => removeReceiver === true || Boolean(toUserUid),
  SetAccountDetails: fields =>
    [names, address].every(group => new Set(group.map(field => fields[field] != null)).size === 1),
}

/** The error code of an invalid body. */
export function faultOf(operation: OperationName, fields: Fields): ErrorCode | undefined {
  const missing = needs[operation].filter(field => fields[field] == null)
  const coded = missing.map(field => codeOfMissing(operation, field))
  if (coded.includes('InvalidRequest') || together[operation]?.(fields) === false) return 'InvalidRequest'
  return coded[0]
}

function codeOfMissing(operation: OperationName, field: string): ErrorCode {
  if (field === 'userUid') return 'InvalidUserUid'
  const isRegistration = operation === 'CreateAccount' || operation === 'CreateOrGetAccount'
  return isRegistration && field === 'pickUpPointUid' ? 'InvalidPupUid' : 'InvalidRequest'
}
