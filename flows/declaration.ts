// The form of a declaration, as types.
import type { Fields } from './declaration/fields.ts'
import type { Outputs } from './declaration/outputs.ts'
import type { Step } from './kinds/index.ts'

export type {
  ClockPoint,
  FieldPoint,
  GoTo,
  Leaves,
  OnError,
  OnTimeout,
  PointInTime,
  Window,
  WorkingTimePoint,
} from './declaration/common.ts'
export type { Field, FieldName, Fields, OptionalField } from './declaration/fields.ts'
export type { ValueOf, ValuesOf } from './declaration/fieldTypes.ts'
export type { Output, Outputs } from './declaration/outputs.ts'
export type { RolesOf } from './declaration/roleTypes.ts'
export type { Comparison, Json, Path, Source, When } from './declaration/sources.ts'
export type { FirstOperationOf, ItemStepsOf, StepsOf } from './declaration/stepTypes.ts'
export type { AskStep } from './kinds/ask/step.ts'
export type { BlockStep } from './kinds/block.ts'
export type { BookStep } from './kinds/book/step.ts'
export type { CallStep } from './kinds/call/step.ts'
export type { ForEachStep } from './kinds/forEach/step.ts'
export type { GroupStep } from './kinds/group/step.ts'
export type { Step, StepKind } from './kinds/index.ts'
export type { Branch, ParallelStep, Until } from './kinds/parallel/step.ts'
export type { RepeatStep } from './kinds/repeat/step.ts'
export type { RunStep, StepRetryPolicy } from './kinds/run/step.ts'
export type { SleepStep } from './kinds/sleep/step.ts'
export type { Case, SwitchStep } from './kinds/switch/step.ts'
export type { WaitStep } from './kinds/wait/step.ts'

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
