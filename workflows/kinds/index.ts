import { isBlock, type PlannedBlock, type PlannedLeaf, type PlannedStep } from '#flows'
import { ask } from './ask.ts'
import type { BlockKind } from './block.ts'
import { book } from './book/index.ts'
import { call } from './call.ts'
import { describeDeadline } from './deadline.ts'
import { forEach } from './forEach.ts'
import { group } from './group.ts'
import type { Kind } from './kind.ts'
import { parallel } from './parallel.ts'
import { repeat } from './repeat.ts'
import { run } from './run/index.ts'
import { sleep } from './sleep.ts'
import { switchCases } from './switch.ts'
import { wait } from './wait.ts'

const kinds: { readonly [Name in PlannedLeaf['kind']]: Kind<Extract<PlannedLeaf, { kind: Name }>> } = {
  book,
  wait,
  ask,
  call,
  run,
  sleep,
}

const blocks: { readonly [Name in PlannedBlock['kind']]: BlockKind<Extract<PlannedBlock, { kind: Name }>> } = {
  parallel,
  forEach,
  repeat,
  switch: switchCases,
  group,
}

/** What a block has in common with other kinds. */
const block: Kind<PlannedBlock> = {
  begin(flow, step, token) {
    token.block = { started: 0, ended: [] }
    blockKindOf(step).enter?.(flow.progress, token, step)
  },
  describe: ({ onTimeout }, end) => [describeDeadline(end, onTimeout)],
}

export function kindOf(step: PlannedStep): Kind<PlannedStep> {
  // The tables have each kind for the steps of this kind.
  return (isBlock(step) ? block : kinds[step.kind]) as Kind<PlannedStep>
}

export function blockKindOf(step: PlannedBlock): BlockKind<PlannedBlock> {
  return blocks[step.kind] as BlockKind<PlannedBlock>
}
