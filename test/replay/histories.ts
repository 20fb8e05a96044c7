import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { History } from '@temporalio/worker'
import type { RecordedFlow } from '#worker'

export const historyFolder = fileURLToPath(new URL('../histories', import.meta.url))

/** The recorded histories of a folder, by the name of their scenario. */
export function readHistories(folder = historyFolder): Map<string, RecordedFlow> {
  const files = readdirSync(folder).filter(file => file.endsWith('.json'))
  return new Map(
    files.map(file => {
      const name = basename(file, '.json')
      return [name, { workflowId: name, history: JSON.parse(readFileSync(join(folder, file), 'utf8')) }]
    }),
  )
}

/** The run of a history, with the run before and after it. */
export function runOf({ history }: RecordedFlow) {
  const { events } = history as History
  const { originalExecutionRunId, continuedExecutionRunId } = events?.[0]?.workflowExecutionStartedEventAttributes ?? {}
  const { newExecutionRunId } = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes ?? {}
  return {
    runId: originalExecutionRunId ?? '',
    before: continuedExecutionRunId || undefined,
    next: newExecutionRunId || undefined,
  }
}
