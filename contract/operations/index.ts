// The operations of the service, each declared once.
// Only the contract's own door imports this.
import { CreateAccount } from './account/createAccount.ts'
import { CreateOrGetAccount } from './account/createOrGetAccount.ts'
import { GetAccount } from './account/getAccount.ts'
import { CancelShipment } from './logistics/cancelShipment.ts'
import { CreateLocalShipmentAsIssue } from './logistics/createLocalShipmentAsIssue.ts'
import { CreateLocalShipmentAsStock } from './logistics/createLocalShipmentAsStock.ts'
import { GetShipmentAccessCode } from './logistics/getShipmentAccessCode.ts'
import { GetShipments } from './logistics/getShipments.ts'
import { SimulateLockerAccess } from './logistics/simulateLockerAccess.ts'
import { GetPickUpPoints } from './pickUpPoints/getPickUpPoints.ts'
import { ConfigureCallback } from './platform/configureCallback.ts'

export const operations = {
  CreateLocalShipmentAsIssue,
  CreateLocalShipmentAsStock,
  CancelShipment,
  GetShipmentAccessCode,
  GetShipments,
  SimulateLockerAccess,
  CreateAccount,
  CreateOrGetAccount,
  GetAccount,
  GetPickUpPoints,
  ConfigureCallback,
} as const
