import type { FlowContext } from '../context.ts'
import { escapeMarkdown } from './markdown.ts'

/** The steps that are shown around the current one: a flow can have two hundred. */
const neighbours = { before: 3, after: 5 } as const

/** The current step with its neighbours. The lines count the rest. */
export function stepLines({ state, progress }: FlowContext): string[] {
  if (progress === undefined || state === 'booking' || state === 'ended') return []
  const { plan, step } = progress
  if (plan.steps.length < 2) return []
  const from = Math.max(0, step - neighbours.before)
  const to = Math.min(plan.steps.length, step + neighbours.after + 1)
  const shown = plan.steps.slice(from, to).map(({ name, summary }, index) => {
    const text = `${escapeMarkdown(name)}: ${escapeMarkdown(summary)}`
    return from + index === step ? `${from + index + 1}. **${text}**` : `${from + index + 1}. ${text}`
  })
  const rest = plan.steps.length - to
  return [...(from > 0 ? [`${from} earlier`, ''] : []), ...shown, ...(rest > 0 ? ['', `and ${rest} more`] : [])]
}
