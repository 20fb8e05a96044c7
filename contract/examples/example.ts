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
