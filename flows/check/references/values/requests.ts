import type { BookStep, CallStep } from '#flows/declaration'
import { type Finding, suggest } from '../../fault.ts'
import { inputOf, isBook, requestStep } from '../../model/flow.ts'
import { findOperation, operationOf } from '../../model/operations.ts'
import { checkRequest } from './requestRules.ts'
import type { StepContext } from './windows.ts'

/** Findings of a step that books or calls: its operation, request and errors. */
export function operationFindings(
  context: StepContext,
  step: BookStep | CallStep,
  { field, names, kind }: { readonly field: 'book' | 'call'; readonly names: readonly string[]; readonly kind: string },
): Finding[] {
  const { at } = context
  const operation = operationOf(step)
  const name = isBook(step) ? step.book : step.call
  if (operation === undefined) {
    const text =
      findOperation(name)?.upload === true
        ? `must be an operation without a file, but "${name}" needs one.`
        : `must be an operation ${kind}, got "${name}".${suggest(name, names)}`
    return [{ at: [...at, field], code: 'UnknownOperation', text }]
  }
  return [
    ...requestFindings(context, step),
    ...Object.keys(step.onError ?? {})
      .filter(code => !operation.errors.some(known => known === code))
      .map(code => ({
        at: [...at, 'onError', code],
        code: 'UnknownErrorCode' as const,
        text: `must be a refusal of ${name}: ${operation.errors.join(', ')}.${suggest(code, operation.errors)}`,
      })),
  ]
}

function requestFindings(context: StepContext, step: BookStep | CallStep): Finding[] {
  const { flow, at } = context
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
