import type { CallStep } from '#flows/declaration'
import { type Finding, suggest } from '../../../check/fault.ts'
import { fromSchema } from '../../../check/model/contractType.ts'
import { isSecret } from '../../../check/model/flow.ts'
import { callable, operationOf } from '../../../check/model/operations.ts'
import { operationFindings } from '../../../check/references/values/requests.ts'
import type { StepContext } from '../../../check/references/values/windows.ts'

export function findings(context: StepContext, step: CallStep): Finding[] {
  return [
    ...operationFindings(context, step, { field: 'call', names: callable, kind: 'that books nothing' }),
    ...keepFindings(context, step),
  ]
}

/** Fields of the response that the operation does not have, or that no history may contain. */
function keepFindings({ at }: StepContext, step: CallStep): Finding[] {
  const { call, keep = [] } = step
  const operation = operationOf(step)
  const response = operation === undefined ? undefined : fromSchema(operation.response)
  if (response === undefined) return []
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
