import type { OperationName } from '#contract'

const booked = 'test/service/bookingRefusals.test.ts > every refusal that %s declares is here'
const linked = 'test/service/linkedRefusals.test.ts > every refusal that %s declares is here'
const details =
  'test/service/setShipmentDetails.test.ts > refused, and nothing has happened: > every refusal that it declares is here'
const objects =
  'test/service/shipmentObjects.test.ts > refused, and nothing has happened: > every refusal that %s declares is here'
const receiver =
  'test/service/setShipmentReceiver.test.ts > refused in the order of the checks > $error: $before, $fields'
const codes = 'test/service/accessCodes.test.ts > the codes of an unknown shipment are InvalidShipment'
const gone = 'test/service/shipmentLife.test.ts > a shipment that has ended is ended > $kind after $steps'
const unlock = 'test/service/unlockShipmentLocker.test.ts'
const opened =
  'test/service/unlockShipmentLocker.test.ts > a shipment that is unknown is InvalidShipment, and one without a locker InvalidShipmentState'
const wrong = 'test/service/wrongCodes.test.ts > a pin code opens nothing > $what: $error'
const noUid = 'test/service/foreignAccounts.test.ts > %s without a uid > %s: InvalidUserUid'
const taken = 'test/service/accountTable.test.ts > %s of > $email, $userName'
const place = 'test/service/accounts.test.ts > a pick up point that is $what: InvalidPupUid'
const config =
  'test/service/mutationConfigFailed.test.ts > when $what > %s leaves the account and answers its fields beside the refusal'
const upload = 'test/service/suggestionsRequest.test.ts > the first check that fails is the answer > %s: %i %s'

const booking = {
  InvalidPupUid: booked,
  InvalidLocker: booked,
  InvalidDimension: booked,
  NoLockerAvailable: booked,
}
const forUser = { ...booking, InvalidUserUid: booked }
const linkedBooking = {
  InvalidPupUid: linked,
  InvalidLocker: linked,
  InvalidDimension: linked,
  NoLockerAvailable: linked,
  InvalidUserUid: linked,
}
const fromStock = { InvalidShipment: linked, InvalidUserUid: linked, InvalidShipmentState: linked }
const creating = {
  InvalidPupUid: place,
  EmailAlreadyRegistered: taken,
  UserNameAlreadyRegistered: taken,
  AccessDenied: taken,
  MutationConfigFailed: config,
}

/** The test that holds each code with which an operation refuses; `open:` and why where there is none. */
export const refusals: Readonly<Record<OperationName, Readonly<Record<string, string>>>> = {
  CreateLocalShipment: { ...forUser, InvalidShipment: booked, InvalidShipmentState: booked },
  CreateLocalShipmentAsIssue: forUser,
  CreateLocalShipmentAsIssueAndSwapIntake: linkedBooking,
  CreateLocalShipmentAsStock: booking,
  CreateLocalShipmentAsStockAfterSwapIntake: {
    InvalidShipment: linked,
    InvalidShipmentState: linked,
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
  AddShipmentObject: { InvalidShipment: objects, InvalidShipmentState: objects },
  RemoveShipmentObject: { InvalidShipment: objects, InvalidShipmentObject: objects, InvalidShipmentState: objects },
  SetShipmentReceiver: { InvalidShipment: receiver, InvalidUserUid: receiver, InvalidShipmentState: receiver },
  CancelShipment: { InvalidShipment: codes, InvalidShipmentState: gone },
  UnlockShipmentLocker: {
    InvalidShipment: opened,
    InvalidShipmentState: opened,
    UnlockNotAllowed: `${unlock} > $before: $letter in $state > with the goal %s: %s`,
    InvalidAccessCode: 'test/service/unlockCodes.test.ts > $before, with the goal $goal > %s (it opens with …)',
    UnlockFailed: 'test/service/hardware.test.ts > a door that does not open is UnlockFailed, and nothing has changed:',
    TooManyAttempts:
      'test/service/unlockCodes.test.ts > five wrong codes lock the locker against codes, whichever way they come, and not against opening without',
  },
  GetShipmentAccessCode: {
    InvalidShipment: codes,
  },
  GetShipments: {},
  GetLocalShipments: {},
  GetCollectOnlyShipments: {},
  SimulateLockerAccess: {
    InvalidPupUid: wrong,
    InvalidLocker: wrong,
    InvalidAccessCode: wrong,
    TooManyAttempts:
      'test/service/wrongCodes.test.ts > five wrong codes lock the locker, for twice as long each further time; a right one starts anew',
  },
  SetAccountDetails: {
    InvalidUserUid: noUid,
    EmailAlreadyRegistered:
      'test/service/setAccountDetails.test.ts > an address of another account, whoever manages it: EmailAlreadyRegistered: %s',
  },
  SetAccountPickUpPoint: {
    InvalidUserUid: noUid,
    InvalidPupUid: 'test/service/setAccountPickUpPoint.test.ts > a pick up point that is $what: InvalidPupUid',
  },
  SetAccountMutationConfig: { InvalidUserUid: noUid },
  RemoveAccount: {
    InvalidUserUid: noUid,
    AccountInUse:
      'test/service/removeAccount.test.ts > an account of an active shipment is AccountInUse until that ends > $before, then $ends',
  },
  CreateAccount: creating,
  CreateOrGetAccount: creating,
  GetAccount: {},
  GetAccountMutationConfig: { InvalidUserUid: noUid },
  UploadAccountSuggestions: {
    NoRequestData: upload,
    NoRequestFile: upload,
    MissingFile: upload,
    InvalidImportType: upload,
    InvalidHeader: 'test/service/suggestionsFiles.test.ts > a file is refused as > %s: %s',
  },
  GetAccountSuggestions: {},
  GetPickUpPoints: {},
  ConfigureCallback: {
    InvalidCallbackUrl:
      'test/service/configureCallback.test.ts > an address that callbacks may not go to is InvalidCallbackUrl > %s, whatever the settings',
  },
  SetSandboxFaults: {},
}
