// What every operation of the contract does, by its name.
// Imported where the service is put together.
import type { OperationName } from '#contract'
import { CreateAccount } from './account/createAccount.ts'
import { CreateOrGetAccount } from './account/createOrGetAccount.ts'
import { GetAccount } from './account/getAccount.ts'
import type { Handler } from './call.ts'
import { CancelShipment } from './logistics/cancelShipment.ts'
import { CreateLocalShipmentAsIntake } from './logistics/createLocalShipmentAsIntake.ts'
import { CreateLocalShipmentAsIntakeAndCircularStock } from './logistics/createLocalShipmentAsIntakeAndCircularStock.ts'
import { CreateLocalShipmentAsIssue } from './logistics/createLocalShipmentAsIssue.ts'
import { CreateLocalShipmentAsIssueAndSwapIntake } from './logistics/createLocalShipmentAsIssueAndSwapIntake.ts'
import { CreateLocalShipmentAsIssueFromStock } from './logistics/createLocalShipmentAsIssueFromStock.ts'
import { CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock } from './logistics/createLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock.ts'
import { CreateLocalShipmentAsIssueFromStockAndSwapIntake } from './logistics/createLocalShipmentAsIssueFromStockAndSwapIntake.ts'
import { CreateLocalShipmentAsStock } from './logistics/createLocalShipmentAsStock.ts'
import { CreateLocalShipmentAsStockAfterSwapIntake } from './logistics/createLocalShipmentAsStockAfterSwapIntake.ts'
import { GetShipmentAccessCode } from './logistics/getShipmentAccessCode.ts'
import { GetShipments } from './logistics/getShipments.ts'
import { SetShipmentReceiver } from './logistics/setShipmentReceiver.ts'
import { SimulateLockerAccess } from './logistics/simulateLockerAccess.ts'
import { UnlockShipmentLocker } from './logistics/unlockShipmentLocker.ts'
import { GetPickUpPoints } from './pickUpPoints/getPickUpPoints.ts'
import { ConfigureCallback } from './platform/configureCallback.ts'

export const handlers: { readonly [Name in OperationName]: Handler<Name> } = {
  CreateLocalShipmentAsIssue,
  CreateLocalShipmentAsIssueAndSwapIntake,
  CreateLocalShipmentAsStock,
  CreateLocalShipmentAsStockAfterSwapIntake,
  CreateLocalShipmentAsIssueFromStock,
  CreateLocalShipmentAsIssueFromStockAndSwapIntake,
  CreateLocalShipmentAsIntake,
  CreateLocalShipmentAsIntakeAndCircularStock,
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock,
  SetShipmentReceiver,
  CancelShipment,
  UnlockShipmentLocker,
  GetShipmentAccessCode,
  GetShipments,
  SimulateLockerAccess,
  CreateAccount,
  CreateOrGetAccount,
  GetAccount,
  GetPickUpPoints,
  ConfigureCallback,
}
