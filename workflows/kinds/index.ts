import type { PlannedStep } from '#flows'
import type { PlannedFlow } from '../context.ts'
import type { Outcome, Pending } from '../pending.ts'
import type { UndoEntry } from '../progress.ts'
import { beginBooking, book } from './book/perform.ts'
import { hasBookingToUndo, undoBook } from './book/undo.ts'
import { call } from './call.ts'
import { run } from './run/perform.ts'
import { undoRun } from './run/undo.ts'

type StepKind = PlannedStep['kind']
type StepOf<Kind extends StepKind> = Extract<PlannedStep, { kind: Kind }>

/** A kind of step that has an effect outside of the flow. */
export interface Effect<Step extends PlannedStep> {
  /** True if the end of the flow has to undo it. Noted before the work starts. */
  isUndone(step: Step): boolean
  /** Notes more about the step before the work starts. */
  begin?(flow: PlannedFlow, step: Step): void
  /** Never fails, except for defects. */
  work(flow: PlannedFlow, step: Step, pending: Pending): Promise<Outcome>
  /** False if there is nothing to undo after all. */
  hasToUndo?(flow: PlannedFlow, step: Step, entry: UndoEntry): boolean
  /** Never fails. */
  undo?(flow: PlannedFlow, step: Step, entry: UndoEntry): Promise<void>
}

/** The effect of each kind; null for kinds that only wait. `nextAction` decides when these are complete. */
const effects: { readonly [Kind in StepKind]: Effect<StepOf<Kind>> | null } = {
  book: { isUndone: () => true, begin: beginBooking, work: book, hasToUndo: hasBookingToUndo, undo: undoBook },
  call: { isUndone: () => false, work: call },
  run: { isUndone: ({ undo }) => undo !== 'nothing', work: run, undo: undoRun },
  wait: null,
  ask: null,
  sleep: null,
}

/** Null for a step that only waits. */
export function effectOf(step: PlannedStep): Effect<PlannedStep> | null {
  // The table has the effect of each kind for the steps of this kind.
  return effects[step.kind] as Effect<PlannedStep> | null
}
