import type { OperationName, RequestOf, UploadName } from '#contract'
import type { Upload } from '../rules/suggestions.ts'
import type { View } from './picks.ts'

/** Generates the fields of a request, in the model's names. */
export type Ask<Name extends OperationName> = (view: View) => Name extends UploadName ? Upload : RequestOf<Name>

export type Asks<Names extends OperationName> = { readonly [Name in Names]: Ask<Name> }
