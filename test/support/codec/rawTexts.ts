import type { Client } from '@temporalio/client'
import type { Payload } from '@temporalio/common'
import { payloadsIn } from './payloads.ts'

/** The parts of a workflow that Temporal stores: its history, and its description with search attributes, memo and summaries. */
export interface StoredWorkflow {
  readonly type: string
  /** Every text, and all bytes with one character each. */
  readonly text: string
  readonly payloads: readonly Payload[]
}

/** Reads the workflows of a task queue as a reader of Temporal's database would, without a codec. */
export async function readStored({ workflow }: Client, taskQueue: string): Promise<StoredWorkflow[]> {
  const found: StoredWorkflow[] = []
  for await (const { workflowId, runId, type, raw } of workflow.list({ query: `TaskQueue = '${taskQueue}'` })) {
    const handle = workflow.getHandle(workflowId, runId)
    const stored = [await handle.fetchHistory(), (await handle.describe()).raw, raw]
    found.push({ type, text: textsIn(stored).join('\n'), payloads: payloadsIn(stored) })
  }
  return found
}

/** Numbers are left out: a size or a moment may look like an access code. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('latin1')]
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(textsIn)
}
