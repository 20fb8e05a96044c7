import type { Duration } from '#contract/terms'
import type { BookingOperation } from '../bookings.ts'
import type { ClockPoint, OnTimeout, Window, WorkingTimePoint } from '../declaration/common.ts'
import type { Source } from '../declaration/sources.ts'
import type { DeclaredList, PlannedList } from './lists.ts'
import type { PlannedCommon, PlannedRole, PlannedWindow } from './planned.ts'

/** A kind of step, as far as a flow does not run. Its check is in the folder `check`, its run in `workflows/kinds`. */
export interface Kind<Step, Planned extends PlannedCommon, Inner = never> {
  /** The end of the step, or of the repetitions of its work; undefined for the default of its kind. */
  end(step: Step): Window | undefined
  /** The default for repetitions, in milliseconds. Absent: an hour. */
  defaultLength?(step: Step): number
  /** True if the input of a case can set the end. Absent: true unless the end is null. */
  hasWindow?(step: Step): boolean
  /** It in a sentence, for people. Absent: its window and the policy of it. */
  describe?(step: Step): string
  /** The lists of a block. Absent for a step without steps of its own. */
  lists?(step: Step): readonly DeclaredList<Inner>[]
  /** The step for one case. Its policies for errors, and what all kinds have, are added. */
  plan(step: Step, planning: Planning): Omit<Planned, keyof PlannedCommon | 'onError'>
}

/** The plan of one step for one case. */
export interface Planning {
  /** The lists of a block, without those that the input rules out. */
  readonly lists: readonly PlannedList[]
  /** The index after the last step of a block. */
  readonly end: number
  /** The index of a later step; undefined if the input leaves it out. */
  indexOf(step: string): number | undefined
  /** The pause between rounds. */
  interval(every: Duration | ClockPoint | WorkingTimePoint | null): PlannedWindow
  window(end: Window): PlannedWindow
  /** The window of a step that waits for people. */
  timedWindow(end: Window): PlannedWindow
  /** How long work is retried, in milliseconds. */
  length(end: Duration | undefined, otherwise?: number): number
  onTimeout(policy: OnTimeout | undefined): OnTimeout | null
  /** Refuses a value that is too large to be sent, if the input alone decides it. */
  rejectLarge(value: Source): void
  bookingRequest(operation: string, request: Source | undefined): Source
  callRequest(operation: string, request: Source | undefined): Source
  roles(
    step: { readonly book: BookingOperation; readonly as?: Readonly<Record<string, string>> },
    request: Source,
  ): PlannedRole[]
}
