// What every operation of the contract does, by its name.
// Imported where the service is put together.
import type { OperationName } from '#contract'
import { CreateAccount } from './account/createAccount.ts'
import { CreateOrGetAccount } from './account/createOrGetAccount.ts'
import { GetAccount } from './account/getAccount.ts'
import type { Handler } from './call.ts'
import { CancelShipment } from './logistics/cancelShipment.ts'
import { CreateLocalShipmentAsIssue } from './logistics/createLocalShipmentAsIssue.ts'
import { CreateLocalShipmentAsStock } from './logistics/createLocalShipmentAsStock.ts'
import { GetShipmentAccessCode } from './logistics/getShipmentAccessCode.ts'
import { GetShipments } from './logistics/getShipments.ts'
import { SimulateLockerAccess } from './logistics/simulateLockerAccess.ts'
import { GetPickUpPoints } from './pickUpPoints/getPickUpPoints.ts'
import { ConfigureCallback } from './platform/configureCallback.ts'

export const handlers: { readonly [Name in OperationName]: Handler<Name> } = {
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
}
