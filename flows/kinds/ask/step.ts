import type { CommonStep, OnTimeout, Window } from '../../declaration/common.ts'
import type { Fields } from '../../declaration/fields.ts'
import type { PlannedCommon, PlannedWindow } from '../planned.ts'

/** A person or another program answers with the update `answer`. Output: `answer`, and the fields of the answer. */
export interface AskStep extends CommonStep {
  /** The answers that are allowed, with the fields of each. */
  readonly ask: Readonly<Record<string, Fields>>
  /** Who answers, as shown in the current details and in notifications; the flow API checks it. */
  readonly who: string
  readonly window: Window
  /** Required with a window. */
  readonly onTimeout?: OnTimeout
}

export interface PlannedAsk extends PlannedCommon {
  kind: 'ask'
  answers: Record<string, Fields>
  who: string
  window: PlannedWindow
  onTimeout: OnTimeout | null
}
