import type { OperationName } from '#contract'

const booked = 'test/service/shipments/createRefusals.test.ts > the table has every refusal of %s'
const linked = 'test/service/shipments/createLinkedRefusals.test.ts > the table has every refusal of %s'
const details =
  'test/service/operations/logistics/setShipmentDetails.test.ts > a refusal changes nothing: > the table has every refusal'
const objects =
  'test/service/shipments/objects.test.ts > a refusal changes nothing: > the table has every refusal of %s'
const room = 'test/service/shipments/bounds.test.ts > a shipment has room for 100 objects, also for concurrent requests'
const large =
  'test/service/shipments/bounds.test.ts > a page with too many objects is refused, and smaller pages have all shipments'
const receiver =
  'test/service/operations/logistics/setShipmentReceiver.test.ts > refused in the order of the checks > $error: $before, $fields'
const codes = 'test/service/lockers/accessCodes.test.ts > the codes of an unknown shipment are InvalidShipment'
const gone = 'test/service/shipments/lifecycle.test.ts > an ended shipment accepts no event > $kind after $steps'
const unlock = 'test/service/operations/logistics/unlockShipmentLocker.test.ts'
const opened =
  'test/service/operations/logistics/unlockShipmentLocker.test.ts > a shipment that is unknown is InvalidShipment, and one without a locker InvalidShipmentState'
const wrong = 'test/service/lockers/pinAttempts.test.ts > a pin code is rejected > $what: $error'
const noUid = 'test/service/tenancy/foreignAccounts.test.ts > %s without a uid > %s: InvalidUserUid'
const taken = 'test/service/accounts/registrationTable.test.ts > %s of > $email, $userName'
const place = 'test/service/accounts/register.test.ts > a pick up point that is $what: InvalidPupUid'
const config =
  'test/service/accounts/mutationConfigFailed.test.ts > when $what > %s leaves the account and returns its fields with the refusal'
const upload =
  'test/service/suggestions/uploadRequest.test.ts > the first failing check decides the response > %s: %i %s'

const booking = {
  InvalidPupUid: booked,
  InvalidLocker: booked,
  LockerOutOfService: booked,
  InvalidDimension: booked,
  NoLockerAvailable: booked,
}
const forUser = { ...booking, InvalidUserUid: booked }
const linkedBooking = {
  InvalidPupUid: linked,
  InvalidLocker: linked,
  LockerOutOfService: linked,
  InvalidDimension: linked,
  NoLockerAvailable: linked,
  InvalidUserUid: linked,
}
const fromStock = {
  InvalidShipment: linked,
  InvalidUserUid: linked,
  InvalidShipmentState: linked,
  LockerOutOfService: linked,
}
const creating = {
  InvalidPupUid: place,
  EmailAlreadyRegistered: taken,
  AccessDenied: taken,
  MutationConfigFailed: config,
}

/** The test of each error code of an operation; `open:` and the reason if there is no test. */
export const refusals: Readonly<Record<OperationName, Readonly<Record<string, string>>>> = {
  CreateLocalShipment: { ...forUser, InvalidShipment: booked, InvalidShipmentState: booked },
  CreateLocalShipmentAsIssue: forUser,
  CreateLocalShipmentAsIssueAndSwapIntake: linkedBooking,
  CreateLocalShipmentAsStock: booking,
  CreateLocalShipmentAsStockAfterSwapIntake: {
    InvalidShipment: linked,
    InvalidShipmentState: linked,
    LockerOutOfService: linked,
    InvalidDimension: linked,
  },
  CreateLocalShipmentAsIssueFromStock: fromStock,
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: fromStock,
  CreateLocalShipmentAsIntake: linkedBooking,
  CreateLocalShipmentAsIntakeAndCircularStock: linkedBooking,
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: fromStock,
  CreateCollectOnlyShipment: forUser,
  CreateCollectOnlyShipmentAsCollectByDispatcher: booking,
  CreateCollectOnlyShipmentAsCollectByUser: forUser,
  SetShipmentDetails: { InvalidShipment: details, InvalidShipmentState: details },
  AddShipmentObject: { InvalidShipment: objects, InvalidShipmentState: objects, TooManyObjects: room },
  RemoveShipmentObject: { InvalidShipment: objects, InvalidShipmentObject: objects, InvalidShipmentState: objects },
  SetShipmentReceiver: { InvalidShipment: receiver, InvalidUserUid: receiver, InvalidShipmentState: receiver },
  CancelShipment: { InvalidShipment: codes, InvalidShipmentState: gone },
  UnlockShipmentLocker: {
    InvalidShipment: opened,
    InvalidShipmentState: opened,
    UnlockNotAllowed: `${unlock} > $before: $letter in $state > with the goal %s: %s`,
    InvalidAccessCode: 'test/service/lockers/unlockCodes.test.ts > $before, with the goal $goal > %s (it opens with …)',
    UnlockFailed:
      'test/service/hardware/hardware.test.ts > a door that does not open is UnlockFailed, and nothing has changed:',
    TooManyAttempts:
      'test/service/lockers/unlockCodes.test.ts > five wrong codes lock the locker for codes of both operations, but not for opening without one',
  },
  GetShipmentAccessCode: {
    InvalidShipment: codes,
  },
  GetShipments: { PageTooLarge: large },
  GetLocalShipments: { PageTooLarge: large },
  GetCollectOnlyShipments: { PageTooLarge: large },
  SimulateLockerAccess: {
    InvalidPupUid: wrong,
    InvalidLocker: wrong,
    LockerOutOfService:
      'test/service/outOfService/operations.test.ts > nothing goes into a broken locker, and everything comes out',
    InvalidAccessCode: wrong,
    TooManyAttempts:
      'test/service/lockers/pinAttempts.test.ts > five wrong codes lock the locker, twice as long each further time; a right one resets that',
  },
  SetAccountDetails: {
    InvalidUserUid: noUid,
    EmailAlreadyRegistered:
      'test/service/operations/account/setAccountDetails.test.ts > the address of another account, of any tenant: EmailAlreadyRegistered: %s',
  },
  SetAccountPickUpPoint: {
    InvalidUserUid: noUid,
    InvalidPupUid:
      'test/service/operations/account/setAccountPickUpPoint.test.ts > a pick up point that is $what: InvalidPupUid',
  },
  SetAccountMutationConfig: { InvalidUserUid: noUid },
  RemoveAccount: {
    InvalidUserUid: noUid,
    AccountInUse:
      'test/service/operations/account/removeAccount.test.ts > an account of an active shipment is AccountInUse until that ends > $before, then $ends',
  },
  CreateAccount: { ...creating, UserNameAlreadyRegistered: taken },
  CreateOrGetAccount: creating,
  GetAccount: {},
  GetAccountMutationConfig: { InvalidUserUid: noUid },
  UploadAccountSuggestions: {
    NoRequestData: upload,
    NoRequestFile: upload,
    MissingFile: upload,
    InvalidImportType: upload,
    InvalidHeader: 'test/service/suggestions/readFile.test.ts > a file is refused as > %s: %s',
  },
  GetAccountSuggestions: {},
  GetPickUpPoints: {},
  ConfigureCallback: {
    InvalidCallbackUrl:
      'test/service/operations/platform/configureCallback.test.ts > a forbidden callback address is InvalidCallbackUrl > %s, whatever the settings',
  },
  SetSandboxFaults: {},
}
