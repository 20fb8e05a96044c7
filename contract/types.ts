import type { z } from 'zod'
import type { operations } from './operations/index.ts'

export type OperationName = keyof typeof operations
type Declared<Name extends OperationName> = (typeof operations)[Name]

/** The operations that take a file. */
export type UploadName = {
  [Name in OperationName]: Declared<Name> extends { upload: true } ? Name : never
}[OperationName]

/** The request of an operation as a caller writes it. */
export type RequestOf<Name extends OperationName> = z.input<Declared<Name>['request']>
/** The request of an operation as the service reads it, defaults filled in. */
export type ReadRequestOf<Name extends OperationName> = z.output<Declared<Name>['request']>
/** What a success of an operation carries beside the envelope. */
export type ResponseOf<Name extends OperationName> = z.output<Declared<Name>['response']>
