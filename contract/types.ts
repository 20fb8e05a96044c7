import type { z } from 'zod'
import type { operations } from './operations/index.ts'

/** The name of an operation, as it stands in its path. */
export type OperationName = keyof typeof operations
type Declared<Name extends OperationName> = (typeof operations)[Name]

/** The operations that expect a file. */
export type UploadName = {
  [Name in OperationName]: Declared<Name> extends { upload: true } ? Name : never
}[OperationName]

/** A request before parsing: fields with defaults are optional. */
export type RequestOf<Name extends OperationName> = z.input<Declared<Name>['request']>
/** A request after parsing, with defaults. */
export type ReadRequestOf<Name extends OperationName> = z.output<Declared<Name>['request']>
/** A success response without the envelope. */
export type ResponseOf<Name extends OperationName> = z.output<Declared<Name>['response']>
