import type { RunCall, UndoRun } from '#flows'
import type { ValuesOf } from '#flows/declaration'
import type { PresentIn } from './condition.ts'
import type { EmptyAt, ScopeOf, StepsOf, ValueAt } from './scope.ts'

/**
 * The functions that a flow runs, by name: the first argument is the value of `with`, as far as it is a literal object of
 * references, and the result has the fields of `keep`, which the activity of `undo` gets. Steps of other task queues are left out.
 *
 * ```ts
 * const activities: ActivitiesFor<typeof repairShop> = { printLabel, voidLabel }
 * await startWorker({ flows: [repairShop], activities })
 * ```
 */
export type ActivitiesFor<Flow> = {
  readonly [Step in OwnRun<Flow> as NameIn<Step, 'run'>]: (
    input: Step extends { with: infer With } ? Given<With, ScopeOf<Flow>, PresentIn<Step>> : never,
    call: RunCall,
  ) => Promise<KeptIn<Step>>
} & {
  readonly [Name in Exclude<NameIn<OwnRun<Flow>, 'undo'>, 'nothing'>]: (
    undo: UndoRun<KeptIn<OwnRun<Flow>, Name>>,
    call: RunCall,
  ) => Promise<unknown>
}

type OwnRun<Flow> = Extract<StepsOf<Flow>, { run: string; taskQueue?: never }>
type NameIn<Step, Field extends string> = Step extends { [Key in Field]: infer Name extends string } ? Name : never
/** The result of a step, or of any step that an activity undoes. */
type KeptIn<Step, Undo = unknown> = Step extends { keep: infer Kept; undo: Undo } ? ValuesOf<Kept> : never

/** The value of a source, for the function that receives it. An absent value leaves its field out. */
type Given<Source, Scope, Present> = Source extends { from: infer Path }
  ?
      | ValueAt<Scope, Path>
      | (Source extends { or: unknown } ? never : Path extends Present ? never : EitherEmpty<EmptyAt<Scope, Path>>)
  : Source extends { value: infer Value }
    ? Value
    : Source extends { merge: unknown }
      ? unknown
      : Source extends readonly unknown[]
        ? { -readonly [Index in keyof Source]: Given<Source[Index], Scope, Present> }
        : Source extends object
          ? Optional<{ -readonly [Key in keyof Source]: Given<Source[Key], Scope, Present> }>
          : Source

/** A declared optional field may be null and absent, and the types of the compiler's options tell only one. */
type EitherEmpty<Empty> = [Empty] extends [never] ? never : null | undefined

/** The fields that may be undefined become optional. */
type Optional<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key]
} & { [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined> }
