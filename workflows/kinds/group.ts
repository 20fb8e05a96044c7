import type { PlannedGroup } from '#flows'
import { listId } from '../scopes.ts'
import { type BlockKind, waits } from './block.ts'

export const group: BlockKind<PlannedGroup> = {
  move(_, { id, step: index, block }, { name, end }) {
    if (block.ended.length > 0) return { leave: 'joined' }
    if (block.started > 0) return waits
    return { start: [{ id: listId(id, name), from: index + 1, to: end, cause: 'fork' }] }
  },
}
