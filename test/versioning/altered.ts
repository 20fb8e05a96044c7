import { randomUUID } from 'node:crypto'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleFlows } from '#worker'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The change that these tests make to the interpreter: a stage that begins is noted in the memo, which is an event. */
const before = 'function enter(run: Run, stage: PlannedStage): void {\n'
const change = 'upsertMemo({ stage: stage.name })\n'

export type Altered = Awaited<ReturnType<typeof bundleFlows>>

/** The interpreter with a change that asks first whether the flow is older than the change. */
export function patchedBundle(): Promise<Altered> {
  return alteredBundle(`if (patched('stage-in-memo')) ${change}`)
}

/** The same change without the question. */
export function incompatibleBundle(): Promise<Altered> {
  return alteredBundle(change)
}

/** A bundle out of a copy of the workflows, which has to lie in the project: the workflows import its doors. */
async function alteredBundle(inserted: string): Promise<Altered> {
  const copy = join(root, '.lockerflow', `altered-${randomUUID()}`)
  try {
    cpSync(join(root, 'workflows'), copy, { recursive: true })
    const file = join(copy, 'waiting.ts')
    const text = readFileSync(file, 'utf8')
    if (!text.includes(before)) throw new Error(`there is no such line in ${file}: ${before}`)
    const imported = "import { patched, upsertMemo } from '@temporalio/workflow'\n"
    writeFileSync(file, imported + text.replace(before, before + inserted))
    return await bundleFlows(join(copy, 'index.ts'))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
