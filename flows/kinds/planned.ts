import type { Link } from '#contract/terms'
import type { When } from '../declaration/sources.ts'

export interface PlannedCommon {
  name: string
  summary: string
  /** The part of the condition that the input alone does not decide. */
  when?: When
  leaves?: PlannedLeaves
  /** The index of the step in the declaration; absent where it is that of the plan. */
  declared?: number
  /** Roles that clean-up may cancel in this step, by the machines. */
  cancels: string[]
  /** Roles that hold no item on some paths to this step only: clean-up reads them first. Absent: none. */
  mayCancel?: string[]
}

/** A sentence for a person. `until`: the index of the step after which it is no longer true. */
export type PlannedLeaves = string | { readonly text: string; readonly until: number }

/**
 * A length, a moment of the input, a moment of an output (`at`, and an offset to it), or a moment by a calendar; null: none.
 */
export type PlannedWindow =
  | { length: number }
  | { moment: number }
  | { at: string; offset: number }
  | CalendarWindow
  | null

/** An activity resolves it when the flow enters the step, so that its answer is in the history. */
export interface CalendarWindow {
  calendar: CalendarRule
  /** A path of an output, or milliseconds since 1970 of a moment of the input; absent: the start of the step. */
  from?: string | number
}

/** Milliseconds of working time, or the next time of the local clock. */
export type CalendarRule = { workingTime: number } | { next: string; workingDay?: true }

/** A resolved role. */
export interface PlannedRole {
  name: string
  /** The state after the booking. */
  initialState: string
  /** It existed before the flow. */
  existing: boolean
  link: { by: Link; to: string } | null
}
