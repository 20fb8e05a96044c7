import type { SleepStep } from '#flows/declaration'
import type { Finding } from '../../../check/fault.ts'
import { pointFindings, type StepContext } from '../../../check/references/values/windows.ts'

export { form } from './form.ts'

export function findings(context: StepContext, { sleep }: SleepStep): Finding[] {
  return typeof sleep === 'object' ? pointFindings(context, sleep.until, [...context.at, 'sleep', 'until']) : []
}
