import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordedFlow } from './replay.ts'

/** Returns the given files, and the .json files of the given folders. */
export async function findHistories(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async path => {
      if (!(await stat(path)).isDirectory()) return [path]
      const names = await readdir(path)
      return names.filter(name => name.endsWith('.json')).map(name => join(path, name))
    }),
  )
  return found.flat().sort()
}

/**
 * Reads a history that `temporal workflow show -o json` or the Web UI wrote. Its workflow id is the file.
 * @throws Error if the file has no history
 */
export async function readHistory(file: string): Promise<RecordedFlow> {
  const read = parse(await readFile(file, 'utf8'))
  // The Web UI writes an array of events.
  const history = Array.isArray(read) ? { events: read } : read
  const [first] = (history as { events?: { eventType?: unknown }[] } | null)?.events ?? []
  if (!/WorkflowExecutionStarted$|WORKFLOW_EXECUTION_STARTED$/.test(String(first?.eventType))) {
    throw new Error('the file does not contain a history: its first event must be WorkflowExecutionStarted.')
  }
  return { workflowId: file, history }
}

/** Shells of Windows begin a file with a byte order mark, which `trimStart` removes. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.trimStart())
  } catch (error) {
    throw new Error(`the file does not contain a history: ${error instanceof Error ? error.message : String(error)}`)
  }
}
