import type { ErrorCode } from '#contract/terms'
import type { Slice } from '../upload.ts'

/** What the process that reads a file tells: slices and then that it is done, or that the answer is no. */
export type Message =
  | { readonly slice: Slice }
  | { readonly done: true }
  | { readonly refused: { readonly code: ErrorCode; readonly message: string } }
