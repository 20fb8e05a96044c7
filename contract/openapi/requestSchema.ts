import { operations } from '../operations/index.ts'
import type { OperationName } from '../types.ts'
import { type Json, toJsonSchema } from './schemas.ts'

/** The JSON Schema of a request, whose shared parts are in `$defs`. */
export function requestSchema(name: OperationName): Json {
  return toJsonSchema(operations[name].request, 'input')
}
