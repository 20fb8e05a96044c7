// Values of a running flow: conditions, sources, moments and fields as pure functions, without Temporal and without zod.
// The interpreter uses them in the sandbox, the plan and the check outside of it.
export { checkFields, type FieldCheck, isUid, pickFields, readFields } from './checkFields.ts'
export { evaluate, simplify } from './evaluate.ts'
export { readMoment } from './moments.ts'
export { isOrdered, type Order, toOrder } from './order.ts'
export { pathsInOutputs, resolveOutputs } from './outputs.ts'
export {
  isMerge,
  isQuoted,
  isReference,
  pathsIn,
  pathsInWhen,
  readPath,
  toConnectives,
  type Values,
} from './paths.ts'
export { resolve } from './resolve.ts'
export { jsonBytes, outputLimits, sentLimit } from './size.ts'
