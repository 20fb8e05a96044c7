import { evaluate, type PlannedRepeat } from '#flows'
import { toValues } from '../progress.ts'
import { roundId } from '../scopes.ts'
import { type BlockKind, waits } from './block.ts'

export const repeat: BlockKind<PlannedRepeat> = {
  move(progress, { id, step: index, block }, { name, end, atMost, until }, now) {
    const { started, ended, nextAt } = block
    if (ended.length < started) return waits
    if (started > 0) {
      if (until !== undefined && evaluate(until, toValues(progress, id))) return { leave: 'until' }
      if (started >= atMost) return { leave: 'atMost' }
      if (nextAt === null) return waits
      if (nextAt !== undefined && now < nextAt) return { until: nextAt }
    }
    return { start: [{ id: roundId(id, name, started + 1), from: index + 1, to: end, cause: 'again' }] }
  },
  output: ({ started }, cause) => ({ rounds: started, ended: cause }),
}
