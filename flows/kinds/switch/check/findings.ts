import type { Step, SwitchStep } from '#flows/declaration'
import type { Finding } from '../../../check/fault.ts'
import { whenFindings } from '../../../check/references/conditions.ts'
import { type StepContext, windowFindings } from '../../../check/references/values/windows.ts'

export function findings(context: StepContext, step: SwitchStep<Step>): Finding[] {
  const { at, scope } = context
  const otherwise = step.switch.findIndex(({ when }) => when === undefined)
  return [
    ...windowFindings(context, step),
    ...step.switch.flatMap(({ when }, index): Finding[] => {
      const place = [...at, 'switch', index]
      if (otherwise < 0 || index <= otherwise) return whenFindings(scope, when, [...place, 'when'])
      return [{ at: place, code: 'CaseUnreachable', text: 'must come before the case that always holds.' }]
    }),
  ]
}
