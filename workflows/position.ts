import type { LeftStep } from '#flows/pictureOfRun'
import type { Ending, Position } from './progress.ts'

/** The flow goes on to another step, which it has not entered yet. */
export function moveTo(position: Position, step: number): void {
  position.step = step
  position.entered = false
  position.deadline = null
}

/** The step begins: from now on its window runs. */
export function startStep(position: Position, now: number): void {
  position.entered = true
  position.since = now
}

export function setDeadline(position: Position, deadline: number | null): void {
  position.deadline = deadline
}

export function setResolving(position: Position, isResolving: boolean): void {
  if (isResolving) position.resolving = true
  else delete position.resolving
}

/** @param now undefined for a flow that is not overdue */
export function setOverdue(position: Position, now: number | undefined): void {
  position.overdue = now !== undefined
  delete position.overdueSince
  // A worker may learn of a passed window later. A locker out of service interrupts a window that has not passed.
  if (now !== undefined) position.overdueSince = Math.min(position.deadline ?? now, now)
}

export function noteLeft(position: Position, left: LeftStep): void {
  // A list that grows by push has room for 16 more, which each waiting flow would keep.
  position.way = [...(position.way ?? []), left]
}

export function setEnding(position: Position, ending: Ending): void {
  position.ending = ending
}
