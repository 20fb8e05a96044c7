import type { RepeatStep, Step } from '#flows/declaration'
import type { Finding } from '../../../check/fault.ts'
import { scopeInside } from '../../../check/model/scope.ts'
import { whenFindings } from '../../../check/references/conditions.ts'
import { pointFindings, type StepContext, windowFindings } from '../../../check/references/values/windows.ts'

export function findings(context: StepContext, step: RepeatStep<Step>): Finding[] {
  const { at, flow, placed } = context
  const { every } = step.repeat
  return [
    ...windowFindings(context, step),
    ...(typeof every === 'object' ? pointFindings(context, every, [...at, 'repeat', 'every']) : []),
    ...whenFindings(scopeInside(flow, placed), step.until, [...at, 'until']),
  ]
}
