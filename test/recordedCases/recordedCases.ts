import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedRun } from '../support/simulator/recordedRun.ts'

/** A test case that ran on real parts: its history in the terms of the simulator. */
export interface RecordedCase {
  readonly flow: string
  readonly case: string
  /** The start of the flow, in ISO 8601: calendars count from it. */
  readonly startedAt: string
  /** The messages and ends that each workflow task has handled. */
  readonly tasks: RecordedRun['handled']
  /** The time line, without times and uids. */
  readonly lines: readonly string[]
}

const folder = import.meta.dirname

/** The file with the recorded cases of a flow. */
export function fileOf(flow: string): string {
  return join(folder, `${flow}.json`)
}

export function readRecordedCases(): readonly RecordedCase[] {
  const files = readdirSync(folder).filter(name => name.endsWith('.json'))
  return files.flatMap(name => JSON.parse(readFileSync(join(folder, name), 'utf8')) as RecordedCase[])
}
