import type { Duration } from '#contract/terms'
import { bookings } from '#flows'
import type { BookStep, CallStep, FlowDeclaration } from '#flows/declaration'
import { type FieldPath, type Finding, suggest } from '../fault.ts'
import { fromSchema } from '../model/contractType.ts'
import { inputOf, isBook, isCall, isSecret, requestStep } from '../model/flow.ts'
import { callable, findOperation, operationOf } from '../model/operations.ts'
import type { Members } from '../model/valueType.ts'
import type { SourceContext } from './findings.ts'
import { checkRequest } from './requestRules.ts'
import { toMilliseconds } from './windows.ts'

/** Services forget idempotency keys after a day. */
const longestBooking: Duration = '12h'

/** Findings of a step that books or calls: its operation, request, window and errors. */
export function operationFindings(
  flow: FlowDeclaration,
  step: BookStep | CallStep,
  context: SourceContext,
  at: FieldPath,
): Finding[] {
  const operation = operationOf(step)
  const name = isBook(step) ? step.book : step.call
  if (operation === undefined) {
    const names = isBook(step) ? Object.keys(bookings) : callable
    const kind = isBook(step) ? 'that books' : 'that books nothing'
    const text =
      findOperation(name)?.upload === true
        ? `must be an operation without a file, but "${name}" needs one.`
        : `must be an operation ${kind}, got "${name}".${suggest(name, names)}`
    return [{ at: [...at, isBook(step) ? 'book' : 'call'], code: 'UnknownOperation', text }]
  }
  const { window } = step
  const tooLong = isBook(step) && window !== undefined && toMilliseconds(window) > toMilliseconds(longestBooking)
  return [
    ...requestFindings(flow, step, context, at),
    ...(isCall(step) ? keepFindings(fromSchema(operation.response), step, at) : []),
    ...(tooLong
      ? [
          {
            at: [...at, 'window'],
            code: 'WindowTooLong' as const,
            text: `must be at most ${longestBooking}, but it is ${window}.`,
          },
        ]
      : []),
    ...Object.keys(step.onError ?? {})
      .filter(code => !operation.errors.some(known => known === code))
      .map(code => ({
        at: [...at, 'onError', code],
        code: 'UnknownErrorCode' as const,
        text: `must be a refusal of ${name}: ${operation.errors.join(', ')}.${suggest(code, operation.errors)}`,
      })),
  ]
}

function requestFindings(
  flow: FlowDeclaration,
  step: BookStep | CallStep,
  context: SourceContext,
  at: FieldPath,
): Finding[] {
  const schema = operationOf(step)?.request
  if (schema === undefined) return []
  if (step.request !== undefined) return checkRequest(context, step.request, schema, [...at, 'request'])
  const first = requestStep(flow)
  if (step !== first) {
    const text = `must be given, since the input of the flow is the request of "${first?.name}".`
    return [{ at: [...at, 'request'], code: 'MissingField', text }]
  }
  if (flow.input === undefined) return []
  const given = Object.fromEntries(Object.keys(flow.input).map(name => [name, { from: `input.${name}` as const }]))
  const scope = { ...context.scope, input: inputOf(flow) }
  return checkRequest({ ...context, scope }, given, schema, ['input']).map(finding =>
    finding.at.length > 2 ? { ...finding, at: finding.at.slice(0, 2) } : finding,
  )
}

function keepFindings(response: Members, { call, keep = [] }: CallStep, at: FieldPath): Finding[] {
  return [...keep.entries()]
    .filter(([, name]) => isSecret(name) || !Object.hasOwn(response, name))
    .map(([place, name]) => ({
      at: [...at, 'keep', place],
      code: 'UnknownField',
      text: isSecret(name)
        ? 'must be left out: no history contains access codes and keys.'
        : `is not a field of the response of ${call}.${suggest(name, Object.keys(response))}`,
    }))
}
