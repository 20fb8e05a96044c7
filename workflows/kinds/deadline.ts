import type { OnTimeout } from '#flows'
import { escapeMarkdown } from '../markdown.ts'
import { isGoTo } from '../steps/windows.ts'

const policies = {
  remind: 'then it is overdue and the window starts again',
  cancel: 'then the flow ends as expired, and shipments without an item are cancelled',
  ask: 'then a person has to decide',
} as const

/** The line of a window with a policy in the current details. */
export function describeDeadline(end: string, policy: OnTimeout | null): string {
  if (end === '') return '- no deadline'
  if (policy === null) return `- deadline ${end}`
  return `- deadline ${end}, ${isGoTo(policy) ? `then the flow goes on with ${escapeMarkdown(policy.goTo)}` : policies[policy]}`
}
