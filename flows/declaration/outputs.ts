import type { Path, When } from './sources.ts'

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
