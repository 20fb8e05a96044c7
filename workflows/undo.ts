import type { PlannedStep } from '#flows'
import type { PlannedFlow } from './context.ts'
import { mayContinueUndo, noteRecordedEvent } from './continueAsNew.ts'
import { kindOf } from './kinds/index.ts'
import type { UndoEntry } from './progress.ts'
import { isUnder, toEffectKey } from './scopes.ts'
import { setDeadline } from './tokens.ts'
import { isOver, leave, removeEntry } from './undoList.ts'
import { publishSearchAttributes } from './visibility/searchAttributes.ts'

/**
 * Undoes the steps of a flow that ends early, in reverse order, one after the other. Returns true if the history is long and
 * the flow has to continue as new first. Never fails.
 */
export function undoSteps(flow: PlannedFlow): Promise<boolean> {
  let hasUndone = false
  return undoEntries(flow, [''], () => {
    // Each run undoes one entry at least.
    if (hasUndone && mayContinueUndo(flow)) return false
    hasUndone = true
    beginCleanUp(flow)
    return true
  })
}

/** Undoes the steps of scopes in the same way, while other steps of the flow go on. Never fails. */
export async function undoScopes(flow: PlannedFlow, scopes: readonly string[]): Promise<void> {
  await undoEntries(flow, scopes, () => true)
}

/**
 * An entry is removed when it is undone, so that the next run goes on with the rest.
 * @param mayUndo called before each entry that has something to undo; false stops before it
 */
async function undoEntries(flow: PlannedFlow, scopes: readonly string[], mayUndo: () => boolean): Promise<boolean> {
  const { progress } = flow
  const isOf = ({ token = '' }: UndoEntry) => scopes.some(scope => isUnder(token, scope))
  for (let entry = progress.undo.findLast(isOf); entry !== undefined; entry = progress.undo.findLast(isOf)) {
    const step = progress.plan.steps[entry.step]
    if (step === undefined) throw new Error(`The plan has no step ${entry.step} to undo.`)
    if (hasToUndo(flow, step, entry)) {
      if (!mayUndo()) return true
      await undo(flow, step, entry)
      noteRecordedEvent(flow)
    }
    removeEntry(progress, entry)
  }
  return false
}

function hasToUndo(flow: PlannedFlow, step: PlannedStep, entry: UndoEntry): boolean {
  return findLeft(step, entry) !== undefined || isUndone(flow, step, entry)
}

async function undo(flow: PlannedFlow, step: PlannedStep, entry: UndoEntry): Promise<void> {
  const left = findLeft(step, entry)
  if (left !== undefined)
    leave(flow.progress, { step: toEffectKey(entry.token ?? '', step.name), shipmentUid: null, reason: left })
  if (isUndone(flow, step, entry)) await kindOf(step).undo?.(flow, step, entry)
}

/** The sentence for a person about a step that has taken effect. */
function findLeft({ leaves }: PlannedStep, entry: UndoEntry): string | undefined {
  if (entry.state !== 'done' || leaves === undefined) return undefined
  if (typeof leaves === 'string') return leaves
  return isOver(entry, leaves.until) ? undefined : leaves.text
}

function isUndone(flow: PlannedFlow, step: PlannedStep, entry: UndoEntry): boolean {
  const kind = kindOf(step)
  return kind.isUndone?.(step) === true && kind.hasToUndo?.(flow, step, entry) !== false
}

function beginCleanUp(flow: PlannedFlow): void {
  for (const token of flow.progress.tokens) setDeadline(token, null)
  publishSearchAttributes(flow)
}
