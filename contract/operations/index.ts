// The operations of the service, each declared once.
// Only contract/index.ts imports this.
import { CreateAccount } from './account/createAccount.ts'
import { CreateOrGetAccount } from './account/createOrGetAccount.ts'
import { GetAccount } from './account/getAccount.ts'
import { GetAccountMutationConfig } from './account/getAccountMutationConfig.ts'
import { GetAccountSuggestions } from './account/getAccountSuggestions.ts'
import { RemoveAccount } from './account/removeAccount.ts'
import { SetAccountDetails } from './account/setAccountDetails.ts'
import { SetAccountMutationConfig } from './account/setAccountMutationConfig.ts'
import { SetAccountPickUpPoint } from './account/setAccountPickUpPoint.ts'
import { UploadAccountSuggestions } from './account/uploadAccountSuggestions.ts'
import { AddShipmentObject } from './logistics/addShipmentObject.ts'
import { CancelShipment } from './logistics/cancelShipment.ts'
import { CreateCollectOnlyShipment } from './logistics/createCollectOnlyShipment.ts'
import { CreateCollectOnlyShipmentAsCollectByDispatcher } from './logistics/createCollectOnlyShipmentAsCollectByDispatcher.ts'
import { CreateCollectOnlyShipmentAsCollectByUser } from './logistics/createCollectOnlyShipmentAsCollectByUser.ts'
import { CreateLocalShipment } from './logistics/createLocalShipment.ts'
import { CreateLocalShipmentAsIntake } from './logistics/createLocalShipmentAsIntake.ts'
import { CreateLocalShipmentAsIntakeAndCircularStock } from './logistics/createLocalShipmentAsIntakeAndCircularStock.ts'
import { CreateLocalShipmentAsIssue } from './logistics/createLocalShipmentAsIssue.ts'
import { CreateLocalShipmentAsIssueAndSwapIntake } from './logistics/createLocalShipmentAsIssueAndSwapIntake.ts'
import { CreateLocalShipmentAsIssueFromStock } from './logistics/createLocalShipmentAsIssueFromStock.ts'
import { CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock } from './logistics/createLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock.ts'
import { CreateLocalShipmentAsIssueFromStockAndSwapIntake } from './logistics/createLocalShipmentAsIssueFromStockAndSwapIntake.ts'
import { CreateLocalShipmentAsStock } from './logistics/createLocalShipmentAsStock.ts'
import { CreateLocalShipmentAsStockAfterSwapIntake } from './logistics/createLocalShipmentAsStockAfterSwapIntake.ts'
import { GetCollectOnlyShipments } from './logistics/getCollectOnlyShipments.ts'
import { GetLocalShipments } from './logistics/getLocalShipments.ts'
import { GetShipmentAccessCode } from './logistics/getShipmentAccessCode.ts'
import { GetShipments } from './logistics/getShipments.ts'
import { RemoveShipmentObject } from './logistics/removeShipmentObject.ts'
import { SetShipmentDetails } from './logistics/setShipmentDetails.ts'
import { SetShipmentReceiver } from './logistics/setShipmentReceiver.ts'
import { SimulateLockerAccess } from './logistics/simulateLockerAccess.ts'
import { UnlockShipmentLocker } from './logistics/unlockShipmentLocker.ts'
import { GetPickUpPoints } from './pickUpPoints/getPickUpPoints.ts'
import { ConfigureCallback } from './platform/configureCallback.ts'
import { SetSandboxFaults } from './platform/setSandboxFaults.ts'

/**
 * Every operation with its path, its schemas and its errors (specification, Operations).
 *
 * ```ts
 * const request = operations.GetShipments.request.parse({ activeShipments: true })
 * ```
 */
export const operations = {
  CreateLocalShipment,
  CreateLocalShipmentAsIssue,
  CreateLocalShipmentAsIssueAndSwapIntake,
  CreateLocalShipmentAsStock,
  CreateLocalShipmentAsStockAfterSwapIntake,
  CreateLocalShipmentAsIssueFromStock,
  CreateLocalShipmentAsIssueFromStockAndSwapIntake,
  CreateLocalShipmentAsIntake,
  CreateLocalShipmentAsIntakeAndCircularStock,
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock,
  CreateCollectOnlyShipment,
  CreateCollectOnlyShipmentAsCollectByDispatcher,
  CreateCollectOnlyShipmentAsCollectByUser,
  SetShipmentDetails,
  AddShipmentObject,
  RemoveShipmentObject,
  SetShipmentReceiver,
  CancelShipment,
  UnlockShipmentLocker,
  GetShipmentAccessCode,
  GetShipments,
  GetLocalShipments,
  GetCollectOnlyShipments,
  SimulateLockerAccess,
  SetAccountDetails,
  SetAccountPickUpPoint,
  SetAccountMutationConfig,
  RemoveAccount,
  CreateAccount,
  CreateOrGetAccount,
  GetAccount,
  GetAccountMutationConfig,
  UploadAccountSuggestions,
  GetAccountSuggestions,
  GetPickUpPoints,
  ConfigureCallback,
  SetSandboxFaults,
} as const

/** Returns the name of the operation that a path ends with; undefined for any other path. */
export function operationAt(path: string): string | undefined {
  return Object.values(operations).find(operation => path.endsWith(operation.path))?.name
}

/** True for the name of an operation. */
export function isOperationName(text: string): text is keyof typeof operations {
  return Object.hasOwn(operations, text)
}
