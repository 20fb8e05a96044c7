import type { OperationName } from '#contract'

/** An operation as the specification lists it: fields by name, in its casing. */
export interface Listed {
  readonly name: OperationName
  readonly takes: readonly string[]
  readonly mayTake?: readonly string[]
  readonly answers: readonly string[]
  readonly errors?: readonly string[]
}

const pup = ['PupUid', 'AllowLargerLockers', 'AllowOverflowLockers', 'Dimension']
const own = ['Details', 'LockerUid']
const uids = ['shipmentUids']
const one = ['shipmentUid', 'pupUid', 'lockerName']
const object = ['shipmentUid', 'shipmentObjectUid']
const texts = ['ReferenceNo', 'ReferenceCaseNo', 'Description']
const address = ['streetName', 'streetNo', 'mailbox', 'city', 'countryCode']
const who = ['canManageUser', 'firstName', 'lastName', 'emailAddress', 'phoneNumber', 'mainPupUid', 'mainPupName']
const account = ['userUid', ...who, 'languageCode', 'mailCode']
const person = ['emailAddress', 'firstName', 'lastName', 'pickUpPointUid']
const aboutPerson = ['phoneNumber', 'userName', 'languageCode', ...address, 'mutationConfig']
const flags = [
  ...['canChangeFirstName', 'canChangeLastName', 'canChangeEmailAddress', 'canChangePhoneNumber'],
  ...['canChangeLanguageCode', 'canChangeMainPickUpPoint', 'canChangeAddress'],
  ...['canRemoveAutomatically', 'canRemoveManually'],
]
const creating = ['EmailAlreadyRegistered', 'InvalidPupUid', 'AccessDenied', 'MutationConfigFailed']
const unlocking = ['InvalidShipmentState', 'InvalidShipment', 'UnlockNotAllowed', 'InvalidAccessCode', 'UnlockFailed']
const uploading = ['MissingFile', 'InvalidHeader', 'InvalidImportType', 'NoRequestData', 'NoRequestFile']
const counts = ['totalCount', 'importedCount', 'existedCount', 'removedCount', 'errorCount']

const lend = 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock'
const fromStock = ['PriorShipmentUid', 'ToUserUid']
const collect = [...pup, 'KeepBookedAfterPickUp']

export const logistics: readonly Listed[] = [
  {
    name: 'CreateLocalShipment',
    takes: pup,
    mayTake: ['FromUserUid', 'ToUserUid', ...texts, 'IsReceiverDelayed', 'SwapsShipmentUid', 'LockerUid'],
    answers: one,
  },
  { name: 'CreateLocalShipmentAsIssue', takes: [...pup, 'ToUserUid'], mayTake: own, answers: uids },
  {
    name: 'CreateLocalShipmentAsIssueAndSwapIntake',
    takes: [...pup, 'ToUserUid'],
    mayTake: [...own, 'Return'],
    answers: uids,
  },
  { name: 'CreateLocalShipmentAsStock', takes: pup, mayTake: own, answers: uids },
  {
    name: 'CreateLocalShipmentAsStockAfterSwapIntake',
    takes: ['PriorShipmentUid', 'Dimension'],
    mayTake: ['Details'],
    answers: uids,
  },
  { name: 'CreateLocalShipmentAsIssueFromStock', takes: fromStock, mayTake: ['Issue'], answers: uids },
  {
    name: 'CreateLocalShipmentAsIssueFromStockAndSwapIntake',
    takes: fromStock,
    mayTake: ['Return', 'Issue'],
    answers: uids,
  },
  { name: 'CreateLocalShipmentAsIntake', takes: [...pup, 'FromUserUid'], mayTake: own, answers: uids },
  { name: 'CreateLocalShipmentAsIntakeAndCircularStock', takes: [...pup, 'FromUserUid'], mayTake: own, answers: uids },
  { name: lend, takes: fromStock, mayTake: ['Return', 'Issue', 'Details'], answers: uids },
  { name: 'CreateCollectOnlyShipment', takes: collect, mayTake: [...own, 'ToUserUid'], answers: one },
  { name: 'CreateCollectOnlyShipmentAsCollectByDispatcher', takes: collect, mayTake: own, answers: uids },
  { name: 'CreateCollectOnlyShipmentAsCollectByUser', takes: [...collect, 'ToUserUid'], mayTake: own, answers: uids },
  { name: 'SetShipmentDetails', takes: ['shipmentUid', ...texts], answers: [] },
  {
    name: 'AddShipmentObject',
    takes: ['shipmentUid', 'details'],
    mayTake: ['changePickUpAccess', 'changeDropOffAccess'],
    answers: object,
  },
  { name: 'RemoveShipmentObject', takes: object, answers: object },
  {
    name: 'SetShipmentReceiver',
    takes: ['shipmentUid'],
    // Required unless removing: test/service/operations/logistics/setShipmentReceiver.test.ts.
    mayTake: ['toUserUid', 'caseReferenceNew', 'removeReceiver'],
    answers: [],
    errors: ['InvalidShipmentState'],
  },
  { name: 'CancelShipment', takes: ['shipmentUid'], answers: [] },
  { name: 'SimulateLockerAccess', takes: ['pupUid', 'lockerName', 'pinCode'], answers: [] },
  {
    name: 'UnlockShipmentLocker',
    takes: ['shipmentUid'],
    mayTake: ['unlockGoal', 'pinCode'],
    answers: [],
    errors: unlocking,
  },
]

export const accountOperations: readonly Listed[] = [
  {
    name: 'SetAccountDetails',
    takes: ['userUid'],
    mayTake: ['emailAddress', 'phoneNumber', 'languageCode', 'firstName', 'lastName', ...address],
    answers: account,
    errors: ['InvalidUserUid', 'EmailAlreadyRegistered'],
  },
  {
    name: 'SetAccountPickUpPoint',
    takes: ['userUid', 'pickUpPointUid'],
    answers: ['userUid', 'pupUid', 'pickUpPointChanged'],
    errors: ['InvalidUserUid'],
  },
  {
    name: 'SetAccountMutationConfig',
    takes: ['userUid'],
    mayTake: flags,
    answers: ['userUid', ...flags],
    errors: ['InvalidUserUid'],
  },
  { name: 'RemoveAccount', takes: ['userUid'], answers: [], errors: ['InvalidUserUid'] },
  { name: 'CreateAccount', takes: person, mayTake: aboutPerson, answers: ['userName', ...account], errors: creating },
  {
    name: 'CreateOrGetAccount',
    takes: person,
    mayTake: aboutPerson,
    answers: ['userName', ...account, 'isExisting'],
    errors: creating,
  },
  {
    name: 'UploadAccountSuggestions',
    takes: [],
    mayTake: ['reference'],
    answers: ['reference', ...counts, 'dateTime', 'errorLogs'],
    errors: uploading,
  },
]
