import { proxyActivities } from '@temporalio/workflow'
import type { FlowActivities } from '#activities/interface'
import type { FlowInput, FlowResult } from '#contract/terms'
import { courseOf, type Run } from '../run.ts'
import { type Done, enter, lead, patience, timeLeft, unlessCancelled } from './plain.ts'

/** Fetches a file of suggestions and uploads it; what became of its rows is the result. */
export function importAccountSuggestions(input: FlowInput): Promise<FlowResult> {
  return lead(input, bring)
}

async function bring(run: Run): Promise<Done> {
  const { url, reference } = courseOf(run).plan.request
  const { importSuggestions } = proxyActivities<Pick<FlowActivities, 'importSuggestions'>>({
    ...patience,
    // A worker tells Temporal once in four fifths of this, and hears of a cancellation then.
    heartbeatTimeout: '10s',
    scheduleToCloseTimeout: timeLeft(run),
    summary: 'fetch the file and upload it',
  })
  enter(run, 'upload')
  const order = { url: String(url), reference: typeof reference === 'string' ? reference : null }
  const answer = await unlessCancelled(run, () => importSuggestions(order))
  return answer === undefined ? { answer: {}, whole: false } : { answer, whole: true }
}
