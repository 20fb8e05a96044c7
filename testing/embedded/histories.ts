import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Client } from '@temporalio/client'
import { toWorkflowId } from '#flows'
import { findHistories, historyToJson, readHistory, replay } from '#worker'

/** Replays the histories of a folder with these workflows. @throws Error that names each history which does not replay */
export async function replayFolder(folder: string, bundle: { readonly code: string }): Promise<number> {
  const files = await findHistories([folder])
  if (files.length === 0) throw new Error(`folder: must have histories as .json files, but ${folder} has none.`)
  const faults = await replay(bundle, await Promise.all(files.map(readHistory)))
  if (faults.length === 0) return files.length
  const lines = faults.map(({ workflowId, reason }) => `  ${workflowId}: ${reason}`)
  throw new Error(`${faults.length} of ${files.length} histories do not replay:\n${lines.join('\n')}`)
}

/** Returns the history of a flow as JSON, and writes it to a file, in a folder that need not exist. */
export async function recordHistory(client: Client, caseNo: string, file?: string): Promise<string> {
  const history = await client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
  const text = historyToJson(history)
  if (file !== undefined) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  return text
}
