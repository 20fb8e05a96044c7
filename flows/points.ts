import type { PointInTime } from './declaration/common.ts'

/** A point in time in a few words: `2d before input.neededBy`, `16h of working time`, `09:00 of a working day`. */
export function describePoint(point: PointInTime): string {
  if ('at' in point) {
    const offset = point.before ? `${point.before} before ` : point.after ? `${point.after} after ` : ''
    return `${offset}${point.at}`
  }
  const from = point.from === undefined ? '' : ` after ${point.from}`
  if ('workingTime' in point) return `${point.workingTime} of working time${from}`
  return `${point.next}${point.workingDay ? ' of a working day' : ''}${from}`
}

/** The path of an output or of the input that a point in time depends on; undefined for one that only the clock decides. */
export function pathOfPoint(point: PointInTime): string | undefined {
  return 'at' in point ? point.at : point.from
}
