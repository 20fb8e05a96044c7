import type { OperationName, ReadRequestOf, ResponseOf } from '#contract'
import type { Call } from '../call.ts'
import type { StagedUpload } from '../suggestions/index.ts'

/** The context of one operation. */
export interface OperationCall extends Call {
  /** The file of the request, for operations that expect one. */
  readonly upload?: StagedUpload | undefined
}

/**
 * Runs one operation in the transaction of its call.
 * @throws OperationError for a refusal; its changes are rolled back unless the error asks for a commit
 */
export type Handler<Name extends OperationName> = (
  call: OperationCall,
  request: ReadRequestOf<Name>,
) => Promise<ResponseOf<Name>>

/** The operations that are served. */
export type Handlers = { readonly [Name in OperationName]?: Handler<Name> }
