// The placeholders of a case and their values. Cases and the simulator import this; it loads no parts.
export { fillIn, fillInRuns, PlaceholderError } from './fillIn.ts'
export { createValues, type RequestValues, toInstant, toMoment } from './values.ts'
