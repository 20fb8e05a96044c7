export { fillIn, fillInRuns, PlaceholderError } from './fillIn.ts'
export { createValues, type RequestValues, toInstant, toMoment } from './values.ts'
