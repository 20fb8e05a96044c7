import type { FlowPlan, LeftOver, PlannedStep } from '#flows'
import type { Undo, UndoEntry } from './progress.ts'
import { isInLoop } from './scopes.ts'
import type { Token } from './tokens.ts'

/** Notes the step of a token before its work starts: no lost worker and no cancellation can forget it. */
export function noteStarted(list: Undo, token: Token): void {
  add(list, token, 'started')
}

/** The step of the token has taken effect. */
export function noteDone(list: Undo, token: Token): void {
  list.undo = list.undo.map(entry => (isOf(entry, token) ? { ...entry, state: 'done' } : entry))
}

/** The step of the token certainly had no effect. */
export function noteNoEffect(list: Undo, token: Token): void {
  list.undo = list.undo.filter(entry => !isOf(entry, token))
}

/**
 * Notes a step with a sentence for a person, so that an early end of the flow reports it: after it has taken effect, and
 * when it may have. A step with an undo has an entry since its start.
 */
export function noteLeftOver(list: Undo, token: Token, { leaves }: PlannedStep): void {
  if (leaves !== undefined && !list.undo.some(entry => isOf(entry, token))) add(list, token, 'done')
}

/** The step of the token is complete: sentences of earlier steps that end with it are no longer true. */
export function endSentences(list: Undo, plan: FlowPlan, token: Token): void {
  const ended = (entry: UndoEntry) =>
    endsOf(plan.steps[entry.step]).includes(token.step) && isInLoop(entry.token ?? '', token.id)
  if (!list.undo.some(ended)) return
  list.undo = list.undo.map(entry => (ended(entry) ? { ...entry, over: [...(entry.over ?? []), token.step] } : entry))
}

function endsOf(step: PlannedStep | undefined): (number | undefined)[] {
  const leaves = typeof step?.leaves === 'object' ? step.leaves.until : undefined
  return [leaves, step?.kind === 'run' && typeof step.undo === 'object' ? step.undo.until : undefined]
}

/** True for a sentence that a later step has ended. */
export function isOver({ over = [] }: UndoEntry, until: number | undefined): boolean {
  return until !== undefined && over.includes(until)
}

/** The entry is undone. */
export function removeEntry(list: Undo, entry: UndoEntry): void {
  list.undo = list.undo.filter(other => other !== entry)
}

/** Leaves something over for a person. */
export function leave(list: Undo, ...left: readonly LeftOver[]): void {
  list.leftOver = [...list.leftOver, ...left]
}

export function leaveDuplicates(list: Undo, left: readonly LeftOver[]): void {
  list.duplicatesLeft = [...(list.duplicatesLeft ?? []), ...left]
}

function add(list: Undo, { id, step }: Token, state: UndoEntry['state']): void {
  list.undo = [...list.undo, { step, ...(id !== '' && { token: id }), state }]
}

function isOf({ step, token = '' }: UndoEntry, { id, step: current }: Token): boolean {
  return step === current && token === id
}
