// The operations of the service, each declared once.
// Only the contract's own door imports this.
import { CreateAccount } from './account/createAccount.ts'
import { CreateOrGetAccount } from './account/createOrGetAccount.ts'
import { GetAccount } from './account/getAccount.ts'
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

export const operations = {
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
} as const
