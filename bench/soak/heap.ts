import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds between two reads of the file. */
const pollInterval = 200

interface Snapshot {
  readonly snapshot: { readonly meta: { readonly node_fields: readonly string[] } }
  readonly nodes: readonly number[]
}

/** The variables of a process whose heap is read: it writes a snapshot of its heap to the folder on SIGUSR2. */
export function heapVariables(folder: string): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}` }
}

/**
 * The bytes of the live objects of a process that was started with `heapVariables`. The snapshot collects garbage before.
 * @throws Error if the process has ended
 */
export async function readHeap(pid: number, folder: string): Promise<number> {
  process.kill(pid, 'SIGUSR2')
  for (;;) {
    await pause(pollInterval)
    // Throws once the process has ended.
    process.kill(pid, 0)
    const name = readdirSync(folder).find(each => each.includes(`.${pid}.`))
    const snapshot = name === undefined ? undefined : readSnapshot(join(folder, name))
    if (name === undefined || snapshot === undefined) continue
    rmSync(join(folder, name))
    const { node_fields: fields } = snapshot.snapshot.meta
    let bytes = 0
    for (let at = fields.indexOf('self_size'); at < snapshot.nodes.length; at += fields.length)
      bytes += snapshot.nodes[at] ?? 0
    return bytes
  }
}

/** Undefined while the process is writing the file. */
function readSnapshot(file: string): Snapshot | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Snapshot
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
