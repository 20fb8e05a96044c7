import type { PlannedParallel } from '#flows'
import { listId } from '../scopes.ts'
import { type BlockKind, waits } from './block.ts'

export const parallel: BlockKind<PlannedParallel> = {
  move(_, { id, block }, { name, branches, until }) {
    if (block.started === 0) {
      return {
        start: branches.map(({ name: branch, from, to }) => ({
          id: listId(id, name, branch),
          from,
          to,
          cause: 'fork',
        })),
      }
    }
    const { ended } = block
    if (ended.length < (until === 'all' ? branches.length : until)) return waits
    const running = branches.filter(branch => ended.every(({ key }) => key !== branch.name))
    return {
      leave: until === 1 ? `first:${ended[0]?.key}` : 'joined',
      drop: running.map(branch => listId(id, name, branch.name)),
    }
  },
  output: ({ ended }) => ({ first: ended[0]?.key ?? null }),
}
