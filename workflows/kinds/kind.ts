import type { PlannedStep } from '#flows'
import type { PlannedFlow } from '../context.ts'
import type { Pending, WorkOutcome } from '../pending.ts'
import type { FlowProgress, UndoEntry } from '../progress.ts'
import type { Token } from '../tokens.ts'

/** A kind of step: one that has an effect outside of the flow ends by its work, any other as soon as it is complete. */
export interface Kind<Step extends PlannedStep> {
  /** True if the flow has what the step waits for. */
  isComplete?(progress: FlowProgress, step: Step, token: Token, now: number): boolean
  /** Never fails, except for defects. */
  work?(flow: PlannedFlow, step: Step, pending: Pending): Promise<WorkOutcome>
  /** Notes more about the step after its work, unless the service has refused it. */
  done?(progress: FlowProgress, step: Step, token: Token): void
  /** Notes more about the step before the work starts. */
  begin?(flow: PlannedFlow, step: Step, token: Token): void
  /** True if the end of the flow has to undo it. Noted before the work starts. */
  isUndone?(step: Step): boolean
  /** False if there is nothing to undo after all. */
  hasToUndo?(flow: PlannedFlow, step: Step, entry: UndoEntry): boolean
  /** Never fails. */
  undo?(flow: PlannedFlow, step: Step, entry: UndoEntry): Promise<void>
  /** Its lines in the current details. By default those of work that is repeated until its window ends. */
  describe?(step: Step, end: string): string[]
}
