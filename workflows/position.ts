import type { LeftStep } from '#flows/pictureOfRun'
import type { Ending, Position } from './progress.ts'

export function noteLeft(position: Position, left: LeftStep): void {
  // A list that grows by push has room for 16 more, which each waiting flow would keep.
  position.way = [...(position.way ?? []), left]
}

/** The first end counts. */
export function setEnding(position: Position, ending: Ending): void {
  position.ending ??= ending
}
