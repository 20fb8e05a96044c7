// The shop's own activities. A worker takes them by LOCKERFLOW_ACTIVITIES. See README.md.
import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunCall, UndoRun } from 'lockerflow/flows'

/** The printer takes its labels from this folder. */
const folder = () => process.env.LABEL_FOLDER ?? 'labels'

/** Each attempt has the same key, so each one prints the same label. */
function labelNoOf({ key }: RunCall): string {
  return `L-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`
}

function fileOf(labelNo: string): string {
  return join(folder(), `${labelNo}.txt`)
}

export async function printLabel({ device }: { device: string }, call: RunCall): Promise<{ labelNo: string }> {
  const labelNo = labelNoOf(call)
  await mkdir(folder(), { recursive: true })
  await writeFile(fileOf(labelNo), `${labelNo}\ncase ${call.caseNo}\nshipment ${device}\n`)
  return { labelNo }
}

/** Accepts that nothing was printed: the outcome of a lost attempt is unknown. */
export async function voidLabel(_undo: UndoRun, call: RunCall): Promise<void> {
  await rm(fileOf(labelNoOf(call)), { force: true })
}
