import { stateCodes } from '#contract/terms'
import type { WaitStep } from '#flows/declaration'
import { type FieldPath, type Finding, suggest } from '../../../check/fault.ts'
import { type StepContext, windowFindings } from '../../../check/references/values/windows.ts'

export function findings(context: StepContext, step: WaitStep): Finding[] {
  const { at, scope } = context
  const { roles } = scope
  const { wait, keep = [] } = step
  const check = (role: string, place: FieldPath): Finding[] => {
    if (roles.has(role)) return []
    const known = roles.size > 0 ? [...roles].join(', ') : 'none'
    const text = `must be one of the roles booked before: ${known}.${suggest(role, roles)}`
    return [{ at: [...at, ...place], code: 'UnknownRole', text }]
  }
  return [
    ...Object.entries(wait).flatMap(([role, state]) => [
      ...check(role, ['wait', role]),
      ...(state === 'Cancelled'
        ? [
            {
              at: [...at, 'wait', role],
              code: 'InvalidValue' as const,
              text: `must be one of ${stateCodes.filter(code => code !== 'Cancelled').join(', ')}: a cancellation ends the flow.`,
            },
          ]
        : []),
    ]),
    ...keep.flatMap((role, place) => check(role, ['keep', place])),
    ...windowFindings(context, step),
  ]
}
