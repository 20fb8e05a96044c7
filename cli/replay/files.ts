import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordedFlow } from '#worker'

/** The files that are named, and those in the folders that are named, which end in .json. */
export async function filesIn(paths: readonly string[]): Promise<string[]> {
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
 * The history in a file, named by it: as `temporal workflow show -o json` and the Web UI write one.
 * Throws an Error when it is none.
 */
export async function readHistory(file: string): Promise<RecordedFlow> {
  const read: unknown = JSON.parse(await readFile(file, 'utf8'))
  // The Web UI writes the events alone.
  const history = Array.isArray(read) ? { events: read } : read
  const [first] = (history as { events?: { eventType?: unknown }[] } | null)?.events ?? []
  if (!/WorkflowExecutionStarted$|WORKFLOW_EXECUTION_STARTED$/.test(String(first?.eventType))) {
    throw new Error('it is no history, which begins with the start of a workflow')
  }
  return { workflowId: file, history }
}
