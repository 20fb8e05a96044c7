import type { Fields } from './fields.ts'
import type { Path, When } from './sources.ts'
import type { Step } from './steps.ts'

/** A flow as data: the interpreter, the check, the pictures and the documentation use it. */
export interface FlowDeclaration {
  /** The version of this form. Default 1. */
  readonly version?: 1
  /** The workflow type: a letter, then letters and digits. */
  readonly name: string
  readonly summary: string
  /** The fields of the input; absent: the request of the first step that books or calls. */
  readonly input?: Fields
  readonly steps: readonly Step[]
  readonly outputs?: Outputs
}

/**
 * Outputs of a completed flow, by field of the result: a value, the whole output of a step by its name, the first value
 * that is neither absent nor null, or a value on a condition. A value that does not exist is null.
 */
export type Outputs = Readonly<Record<string, Output>>

export type Output =
  | Path
  | string
  | { readonly first: readonly (Path | string)[] }
  | { readonly from: Path | string; readonly when: When }
