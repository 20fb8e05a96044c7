import { heartbeat } from '@temporalio/activity'
import type { Json, RunCall } from '#flows'

// The flows and activities of a worker process that a test kills.
export { workshop } from './workshop.ts'

/** The cases whose activity of this name never ends. */
const hanging: Readonly<Record<string, string>> = JSON.parse(process.env.WORKSHOP_HANGS ?? '{}')

export async function printLabel(_input: Json, call: RunCall): Promise<Json> {
  await hangFor('printLabel', call)
  return { labelNo: 'L-1' }
}

export function voidLabel(_input: Json, call: RunCall): Promise<void> {
  return hangFor('voidLabel', call)
}

export async function repair(_input: Json, call: RunCall): Promise<Json> {
  await hangFor('repair', call)
  return { report: 'repaired' }
}

async function hangFor(activity: string, { caseNo }: RunCall): Promise<void> {
  if (hanging[activity] !== caseNo) return
  setInterval(() => heartbeat(), 1_000)
  await new Promise(() => undefined)
}
