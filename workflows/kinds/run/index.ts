import type { PlannedRun } from '#flows'
import { escapeMarkdown } from '../../markdown.ts'
import { isOver } from '../../undoList.ts'
import type { Kind } from '../kind.ts'
import { work } from './perform.ts'
import { undoRun } from './undo.ts'

export const run: Kind<PlannedRun> = {
  work,
  isUndone: ({ undo }) => undo !== 'nothing',
  hasToUndo: (_, { undo }, entry) => typeof undo !== 'object' || !isOver(entry, undo.until),
  undo: undoRun,
  describe: (step, end) => [workerLine(step), `- given up at ${end} without a result`],
}

/** A workflow does not learn whether an activity waits for a worker or runs, so the line names both. */
function workerLine({ activity, taskQueue }: PlannedRun): string {
  const queue = taskQueue === undefined ? '' : ` on the task queue ${escapeMarkdown(taskQueue)}`
  return `- activity ${escapeMarkdown(activity)}: waits for a worker${queue}, or runs there; Pending Activities tells which`
}
