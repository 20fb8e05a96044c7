import { randomUUID } from 'node:crypto'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleFlows } from '#worker'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The change of the interpreter: entering a wait step also writes the memo, which adds an event. */
const before = 'function enterStep(flow: PlannedFlow, token: Token, step: PlannedStep): void {\n'
const change = 'upsertMemo({ step: step.name })\n'
const condition = "step.kind === 'wait'"

export interface ChangedBundle {
  readonly code: string
}

/** The interpreter with the guarded change. */
export function patchedBundle(): Promise<ChangedBundle> {
  return changedBundle(`if (${condition} && flow.runtime.hasChange('step-in-memo')) ${change}`)
}

/** The interpreter with the unguarded change. */
export function incompatibleBundle(): Promise<ChangedBundle> {
  return changedBundle(`if (${condition}) ${change}`)
}

/** The interpreter whose workflow task fails when a flow enters a wait step, so after it has booked. */
export function failingBundle(): Promise<ChangedBundle> {
  return changedBundle(`if (${condition}) throw new Error('a bad build')\n`)
}

/** Bundles a changed copy of the workflows. The copy is inside the project, because it imports the project's doors. */
async function changedBundle(inserted: string): Promise<ChangedBundle> {
  const copy = join(root, '.lockerflow', `altered-${randomUUID()}`)
  try {
    cpSync(join(root, 'workflows'), copy, { recursive: true })
    const file = join(copy, 'steps', 'advance.ts')
    const text = readFileSync(file, 'utf8')
    if (!text.includes(before)) throw new Error(`${file} must contain the line ${before}`)
    const imported = "import { upsertMemo } from '@temporalio/workflow'\n"
    writeFileSync(file, imported + text.replace(before, before + inserted))
    return await bundleFlows(join(copy, 'index.ts'))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
