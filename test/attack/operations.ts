/** Identifiers that belong to one tenant. */
export interface Belongings {
  readonly shipment: string
  readonly object: string
  readonly account: string
  readonly userName: string
  readonly emailAddress: string
  readonly pickUpPoint: string
  readonly locker: string
  readonly lockerName: string
  readonly code: string
  readonly caseNumber: string
}

/** A valid JSON request of an operation, as the specification describes it. */
type Request = (own: Belongings) => Readonly<Record<string, unknown>>

const dimension = { width: 5, height: 5, length: 5 }
const place = (own: Belongings) => ({
  PupUid: own.pickUpPoint,
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: dimension,
})
const person = { firstName: 'Ada', lastName: 'Lovelace' }
const fromStock: Request = own => ({ PriorShipmentUid: own.shipment, ToUserUid: own.account })
const collect: Request = own => ({ ...place(own), ToUserUid: own.account, KeepBookedAfterPickUp: false })

/** All operations with a JSON body. The upload has checks of its own. */
export const requests = {
  CreateLocalShipment: own => ({ ...place(own), ToUserUid: own.account }),
  CreateLocalShipmentAsIssue: own => ({ ...place(own), ToUserUid: own.account }),
  CreateLocalShipmentAsIssueAndSwapIntake: own => ({ ...place(own), ToUserUid: own.account }),
  CreateLocalShipmentAsStock: place,
  CreateLocalShipmentAsStockAfterSwapIntake: own => ({ PriorShipmentUid: own.shipment, Dimension: dimension }),
  CreateLocalShipmentAsIssueFromStock: fromStock,
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: fromStock,
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: fromStock,
  CreateLocalShipmentAsIntake: own => ({ ...place(own), FromUserUid: own.account }),
  CreateLocalShipmentAsIntakeAndCircularStock: own => ({ ...place(own), FromUserUid: own.account }),
  CreateCollectOnlyShipment: collect,
  CreateCollectOnlyShipmentAsCollectByDispatcher: own => ({ ...place(own), KeepBookedAfterPickUp: false }),
  CreateCollectOnlyShipmentAsCollectByUser: collect,
  SetShipmentDetails: own => ({
    shipmentUid: own.shipment,
    Description: null,
    ReferenceNo: 'r',
    ReferenceCaseNo: own.caseNumber,
  }),
  AddShipmentObject: own => ({
    shipmentUid: own.shipment,
    details: { referenceNo: 'r', description: 'd', weight: 1, count: 1, dimension },
  }),
  RemoveShipmentObject: own => ({ shipmentUid: own.shipment, shipmentObjectUid: own.object }),
  SetShipmentReceiver: own => ({ shipmentUid: own.shipment, toUserUid: own.account }),
  CancelShipment: own => ({ shipmentUid: own.shipment }),
  SimulateLockerAccess: own => ({ pupUid: own.pickUpPoint, lockerName: own.lockerName, pinCode: own.code }),
  UnlockShipmentLocker: own => ({ shipmentUid: own.shipment }),
  GetShipmentAccessCode: own => ({ shipmentUid: own.shipment }),
  GetShipments: own => ({ pageNo: 1, pageSize: 50, activeShipments: true, referenceCaseNo: own.caseNumber }),
  GetLocalShipments: own => ({ pageNo: 1, pageSize: 50, activeShipments: true, userUid: own.account }),
  GetCollectOnlyShipments: own => ({ pageNo: 1, pageSize: 50, activeShipments: true, bookedPupUid: own.pickUpPoint }),
  SetAccountDetails: own => ({ userUid: own.account, phoneNumber: '+31600000000' }),
  SetAccountPickUpPoint: own => ({ userUid: own.account, pickUpPointUid: own.pickUpPoint }),
  SetAccountMutationConfig: own => ({ userUid: own.account, canChangeAddress: true }),
  RemoveAccount: own => ({ userUid: own.account }),
  CreateAccount: own => ({ ...person, emailAddress: own.emailAddress, pickUpPointUid: own.pickUpPoint }),
  CreateOrGetAccount: own => ({ ...person, emailAddress: own.emailAddress, pickUpPointUid: own.pickUpPoint }),
  GetAccount: own => ({ userUid: own.account }),
  GetAccountMutationConfig: own => ({ userUid: own.account }),
  GetAccountSuggestions: () => ({ searchText: 'a', pageNo: 1, pageSize: 10 }),
  GetPickUpPoints: own => ({ pageNo: 1, pageSize: 10, pupUid: own.pickUpPoint, includeDetails: true }),
  ConfigureCallback: () => ({ url: null, authType: 'None' }),
} as const satisfies Record<string, Request>

export type OperationName = keyof typeof requests

export const operationNames = Object.keys(requests) as OperationName[]

/** The path of an operation below the base address. */
export function pathOf(name: OperationName | 'UploadAccountSuggestions' | 'SetSandboxFaults'): string {
  if (name === 'GetPickUpPoints') return '/v1/PickupPoints/GetPickUpPoints'
  if (name === 'ConfigureCallback' || name === 'SetSandboxFaults') return `/v1/Platform/${name}`
  return `/v1/${name.includes('Account') ? 'Account' : 'Logistics'}/${name}`
}
