import { minimumFlows } from './figures.ts'
import type { Measurement } from './measure.ts'

/** A share of the flows, and how the build did with it. */
export interface RampStep {
  readonly percentage: number
  /** The last measurement of the step. */
  readonly measured: Measurement | undefined
}

/** The last measurement of a step, as a line of text. */
export function toStepLine({ percentage, measured }: RampStep): string {
  return measured === undefined ? `${percentage} %: not measured` : `${percentage} %: ${toLine(measured)}`
}

function toLine({ build, failing, retried }: Measurement): string {
  const began = `${build.started} ${build.started === 1 ? 'flow' : 'flows'} began`
  const states = `${build.refused} refused, ${build.overdue} overdue`
  const line = `${began}, ${states}, ${failing.length} with failing tasks, ${retried.build.retrying} with failing activities`
  if (build.started >= minimumFlows) return line
  return `${line}. Fewer than ${minimumFlows} flows are not compared: use a longer --watch`
}
