import type { LeftOver, PlannedStep } from '#flows'
import type { FlowProgress, Undo, UndoEntry } from './progress.ts'

type List = Undo & Pick<FlowProgress, 'step'>

/** Notes the current step before its work starts: no lost worker and no cancellation can forget it. */
export function noteStarted(list: List): void {
  add(list, 'started')
}

/** The current step has taken effect. */
export function noteDone(list: List): void {
  list.undo = list.undo.map(entry => (entry.step === list.step ? { step: entry.step, state: 'done' } : entry))
}

/** The current step certainly had no effect. */
export function noteNoEffect(list: List): void {
  list.undo = list.undo.filter(({ step }) => step !== list.step)
}

/**
 * Notes a step with a sentence for a person, so that an early end of the flow reports it: after it has taken effect, and
 * when it may have. A step with an undo has an entry since its start.
 */
export function noteLeftOver(list: List, { leaves }: PlannedStep): void {
  if (leaves !== undefined && !list.undo.some(({ step }) => step === list.step)) add(list, 'done')
}

/** The last entry is undone. */
export function removeLast(list: Undo): void {
  list.undo = list.undo.slice(0, -1)
}

/** Leaves something over for a person. */
export function leave(list: Undo, ...left: readonly LeftOver[]): void {
  list.leftOver = [...list.leftOver, ...left]
}

export function leaveDuplicates(list: Undo, left: readonly LeftOver[]): void {
  list.duplicatesLeft = [...(list.duplicatesLeft ?? []), ...left]
}

function add(list: List, state: UndoEntry['state']): void {
  list.undo = [...list.undo, { step: list.step, state }]
}
