import type { RunStep } from '#flows/declaration'
import { type Finding, suggest } from '../../../check/fault.ts'
import { checkPaths } from '../../../check/references/values/findings.ts'
import { type StepContext, toMilliseconds } from '../../../check/references/values/windows.ts'

export function findings(context: StepContext, step: RunStep): Finding[] {
  const { at, activities } = context
  const { run, undo, taskQueue, timeout, heartbeat, window } = step
  const names = [
    ['run', run] as const,
    ...(typeof undo === 'string' && undo !== 'nothing' ? [['undo', undo] as const] : []),
  ]
  const unregistered = names.filter(
    ([, name]) => activities !== undefined && taskQueue === undefined && !activities.has(name),
  )
  return [
    ...checkPaths(context, step.with, [...at, 'with']),
    ...unregistered.map(([field, name]) => ({
      at: [...at, field],
      code: 'UnregisteredActivity' as const,
      text: `must be an activity of this worker${field === 'undo' ? ', { leaves } or "nothing"' : ''}, or the step must have a taskQueue: "${name}" is not registered.${suggest(name, activities ?? [])}`,
    })),
    ...(heartbeat !== undefined && toMilliseconds(heartbeat) > toMilliseconds(timeout)
      ? [
          {
            at: [...at, 'heartbeat'],
            code: 'WindowTooLong' as const,
            text: `must be at most the timeout of ${timeout}.`,
          },
        ]
      : []),
    ...(window !== undefined && toMilliseconds(timeout) > toMilliseconds(window)
      ? [{ at: [...at, 'timeout'], code: 'WindowTooLong' as const, text: `must be at most the window of ${window}.` }]
      : []),
  ]
}
