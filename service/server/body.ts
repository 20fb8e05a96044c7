import { type Operation, type OperationName, operations, type ReadRequestOf, readRequest } from '#contract'
import { Refusal } from '../operations/call.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The request of an operation out of the bytes of a body.
 * @param called what the caller knows the bytes as, for the message
 * @throws Refusal InvalidRequest, or the code that the operation has for a missing identifier
 */
export function readOperationRequest<Name extends OperationName>(
  name: Name,
  bytes: unknown,
  called = 'The body',
): ReadRequestOf<Name> {
  const { request, absent }: Operation = operations[name]
  const value = parse(bytes, called)
  const read = readWithinReason(() => readRequest({ request, ...(absent && { absent }) }, value))
  if (!read.ok) throw new Refusal(read.error, read.message)
  // The schema of this very operation made it, which the compiler cannot follow through the table.
  return read.request as ReadRequestOf<Name>
}

/** Brackets in brackets in brackets run out of stack long before they run out of body. */
function readWithinReason<Read>(read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal('InvalidRequest', 'The body is nested too deeply.')
    throw error
  }
}

function parse(bytes: unknown, called: string): unknown {
  if (!(bytes instanceof Buffer) || bytes.length === 0) throw new Refusal('InvalidRequest', `${called} is missing.`)
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    // The parser's own message quotes the body, and bodies hold personal data.
    throw new Refusal('InvalidRequest', `${called} is not JSON in UTF-8.`)
  }
}
