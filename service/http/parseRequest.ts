import type { z } from 'zod'
import {
  describeIssue,
  type Operation,
  type OperationName,
  operations,
  type ReadRequestOf,
  readRequest,
} from '#contract'
import { OperationError } from '../operationError.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses and validates the body of an operation.
 * @param source the name of the bytes in error messages
 * @throws OperationError InvalidRequest, or the operation's own code for a missing identifier
 */
export function parseRequest<Name extends OperationName>(
  name: Name,
  bytes: unknown,
  source?: string,
): ReadRequestOf<Name> {
  const read = readBody(name, bytes, source)
  if (read instanceof OperationError) throw read
  return read.request
}

/**
 * Returns the error of a refused body, since a throw takes a twentieth of a refusal.
 * @throws OperationError for a body that is not JSON
 */
export function readBody<Name extends OperationName>(
  name: Name,
  bytes: unknown,
  source = 'The body',
): OperationError | { readonly request: ReadRequestOf<Name> } {
  const { request, missingFieldErrors }: Operation = operations[name]
  const value = parseJson(bytes, source)
  const read = limitNesting(() => readRequest({ request, ...(missingFieldErrors && { missingFieldErrors }) }, value))
  if (!read.ok) return new OperationError(read.error, read.message.replace(/^The body(?=:)/, source))
  // The schema of this operation made it; the compiler cannot follow that through the table.
  return { request: read.request as ReadRequestOf<Name> }
}

/** Deep nesting exhausts the stack long before a body reaches its size limit. */
function limitNesting<Read>(read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw new OperationError('InvalidRequest', 'The body is nested too deeply.')
    throw error
  }
}

/**
 * Parses bytes in UTF-8, or a text, as JSON.
 * @param source the name of the bytes in error messages
 * @throws OperationError InvalidRequest
 */
export function parseJson(bytes: unknown, source: string): unknown {
  if (!(typeof bytes === 'string' || bytes instanceof Buffer) || bytes.length === 0)
    throw new OperationError('InvalidRequest', `${source} is missing.`)
  try {
    return JSON.parse(typeof bytes === 'string' ? bytes : utf8.decode(bytes))
  } catch {
    // The parser's own message quotes the body, which may contain personal data.
    throw new OperationError('InvalidRequest', `${source} is not JSON in UTF-8.`)
  }
}

/**
 * Validates the body or query of a route that is not an operation.
 * @throws OperationError InvalidRequest with the problem of each field
 */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const problems = read.error.issues.map(issue => describeIssue(issue, value))
  throw new OperationError('InvalidRequest', `${problems.join('; ')}.`)
}
