import type { FlowDeclaration } from '#flows/declaration'
import { type FieldPath, type Finding, suggest } from '../fault.ts'
import { isRun } from '../model/flow.ts'
import { holdersOf, type PlacedStep, treeOf } from '../model/tree.ts'

/** Findings of the steps after which the left-overs of a step are no longer true. */
export function leavesFindings(flow: FlowDeclaration, placed: PlacedStep): Finding[] {
  const { step, at } = placed
  const { leaves } = step
  const ended = isRun(step) && typeof step.undo === 'object' ? step.undo.until : undefined
  return [
    ...(typeof leaves === 'object' ? untilFindings(flow, placed, leaves.until, [...at, 'leaves', 'until']) : []),
    ...(ended === undefined ? [] : untilFindings(flow, placed, ended, [...at, 'undo', 'until'])),
  ]
}

function untilFindings(flow: FlowDeclaration, placed: PlacedStep, until: string, at: FieldPath): Finding[] {
  const ends = treeOf(flow).filter(other => comesAfter(other, placed))
  if (ends.some(({ step }) => step.name === until)) return []
  const names = ends.map(({ step }) => step.name)
  const text = `must name a step that comes after this one, once for each time that this one runs, got "${until}".${suggest(until, names)}`
  return [{ at, code: 'UnknownStep', text }]
}

/** True for a later step that is in no loop and in no other branch or case beside the earlier one. */
function comesAfter(later: PlacedStep, earlier: PlacedStep): boolean {
  const around = [earlier, ...holdersOf(earlier)]
  const own = [later, ...holdersOf(later)]
  const outer = own.findIndex(({ list }) => around.some(each => each.list === list))
  const [sibling, before] = [own[outer], around.find(({ list }) => list === own[outer]?.list)]
  if (sibling === undefined || before === undefined || sibling.index <= before.index) return false
  return own.slice(1, outer + 1).every(({ step }) => !('forEach' in step) && !('repeat' in step))
}
