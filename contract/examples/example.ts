import type { OperationName, RequestOf, ResponseOf } from '../types.ts'

/** A request and its success response without the envelope. */
export interface Example<Name extends OperationName = OperationName> {
  readonly request: RequestOf<Name>
  readonly response: ResponseOf<Name>
  /** Content of the file of an upload. */
  readonly file?: string
}

/** The examples of some operations, each typed by its own operation. */
export type Examples<Name extends OperationName> = { readonly [Each in Name]: Example<Each> }

/** Identifiers in the examples. Requests use what the responses of other operations return. */
export const uids = {
  user: '0b8f5a52-6c3b-4a58-9a3e-5d0c1b7f2e41',
  dispatcher: 'e2d94c07-51f8-4f0b-8d26-93a7b0c6f1d8',
  /** The shipment in most examples. */
  issue: '8b0b3dc5-90e7-4c1f-a6f1-2f4d8f6a7c13',
  intake: '95a5ab00-3f0e-4e0b-8c62-7d1f5b9e0a24',
  stock: '07647474-d1c6-4f6e-b3a8-6e5c2a1d9b35',
  collection: 'c41d7e86-2b59-4d3a-9e70-8f6b4c3a1d57',
  object: '3f9c2e17-a8d4-4b65-b1f0-4c7e6d5a8b92',
  locker: '5a7e9d31-c0f2-4864-9b1d-1e3f5a7c9d20',
} as const

export const pickUpPoints = { square: 'pup-1', harbour: 'pup-2' } as const
export const lockerName = '1'
export const codes = { delivery: '482913', pickUp: '710264' } as const

/** Size of the item in centimetres. */
export const drill = { width: 30, height: 15, length: 40 } as const
export const texts = {
  ReferenceNo: 'ORD-2041',
  ReferenceCaseNo: 'I1701-1982',
  Description: 'Cordless drill, serial 4711',
} as const
