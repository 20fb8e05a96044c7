import type { RunCall, UndoRun } from '#flows'
import type { StepsOf, ValuesOf } from '#flows/declaration'

/**
 * The functions that a flow runs, by name. The first argument is the value of `with`, whose type each function declares
 * itself. The result has the fields of `keep`, which the activity of `undo` gets. Steps of other task queues are left out.
 *
 * ```ts
 * const activities: ActivitiesFor<typeof repairShop> = { printLabel, voidLabel }
 * await startWorker({ flows: [repairShop], activities })
 * ```
 */
export type ActivitiesFor<Flow> = {
  // biome-ignore lint/suspicious/noExplicitAny: `unknown` would refuse functions that declare their input.
  readonly [Step in OwnRun<Flow> as NameIn<Step, 'run'>]: (input: any, call: RunCall) => Promise<KeptIn<Step>>
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
