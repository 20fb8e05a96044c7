import type { FlowInput, FlowResult } from '#flows'
import { importSuggestions } from '../activities.ts'
import { remainingBookingWindow } from '../booking/plan.ts'
import type { PlannedFlow } from '../context.ts'
import { enterStep, runAccountFlow, unlessCancelled, type WorkResult } from './accountFlow.ts'

/** Fetches a file of suggestions and uploads it. The result counts its rows. */
export function importAccountSuggestions(input: FlowInput): Promise<FlowResult> {
  return runAccountFlow(input, work)
}

async function work(flow: PlannedFlow): Promise<WorkResult> {
  const { url, reference } = flow.progress.plan.request
  const run = importSuggestions(remainingBookingWindow(flow))
  enterStep(flow, 'upload')
  const file = { url: String(url), reference: typeof reference === 'string' ? reference : null }
  const response = await unlessCancelled(flow, () => run(file))
  return { response: response ?? {}, complete: response !== undefined }
}
