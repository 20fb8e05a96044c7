import { evaluate, type PlannedSwitch } from '#flows'
import { toValues } from '../progress.ts'
import { listId } from '../scopes.ts'
import { type BlockKind, waits } from './block.ts'

/** Its cases are read once. */
export const switchCases: BlockKind<PlannedSwitch> = {
  move(progress, { id, block }, { name, cases }) {
    if (block.ended.length > 0) return { leave: 'joined' }
    if (block.started > 0) return waits
    const values = toValues(progress, id)
    const index = cases.findIndex(({ when }) => evaluate(when, values))
    const chosen = cases[index]
    if (chosen === undefined) return { leave: 'case:none' }
    const cause = `case:${(chosen.declared ?? index) + 1}` as const
    return { start: [{ id: listId(id, name), from: chosen.from, to: chosen.to, cause }] }
  },
}
