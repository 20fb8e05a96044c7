import type { OperationName, ReadRequestOf, ResponseOf } from '#contract'
import type { Call } from '../call.ts'
import type { OpenDoor } from '../hardware/index.ts'
import type { ShipmentRequest } from '../shipments/index.ts'
import type { StagedUpload } from '../suggestions/index.ts'

/** The context of one operation. */
export interface OperationCall extends Call {
  /** The file of the request, for operations that expect one. */
  readonly upload?: StagedUpload | undefined
}

/**
 * Runs one operation in the transaction of its call, and does no I/O but the store's.
 * @throws OperationError for a refusal; its changes are rolled back unless the error asks for a commit
 */
export type Handler<Name extends OperationName> = (
  call: OperationCall,
  request: ReadRequestOf<Name>,
) => Promise<ResponseOf<Name>>

/** The context of an operation in several steps. */
export interface Steps {
  readonly tenantId: string
  /**
   * Runs `work` in a transaction of its own.
   * @throws OperationError for a refusal, after a commit if the error asks for one
   */
  readonly transaction: <Result>(work: (call: OperationCall) => Promise<Result>) => Promise<Result>
  /** Opens a door; never inside of `transaction`. */
  readonly openDoor: OpenDoor
  /** Time limit of `openDoor` in milliseconds. */
  readonly unlockTimeout: number
  /** Allows callbacks to private, loopback and plain-http addresses (LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS). */
  readonly allowPrivateNetworks: boolean
}

/** An operation with I/O between its transactions. It cannot be a `create`, whose response is stored with its effects. */
export interface SteppedHandler<Name extends OperationName> {
  readonly steps: (steps: Steps, request: ReadRequestOf<Name>) => Promise<ResponseOf<Name>>
}

/** An operation that creates one shipment and does nothing else. Several of them can share a commit. */
export interface BookingHandler<Name extends OperationName> {
  readonly toShipment: (request: ReadRequestOf<Name>) => ShipmentRequest
  readonly toResponse: (shipmentUid: string) => ResponseOf<Name>
}

export type AnyHandler<Name extends OperationName> = Handler<Name> | SteppedHandler<Name> | BookingHandler<Name>

/** The operations that are served. */
export type Handlers = { readonly [Name in OperationName]?: AnyHandler<Name> }
