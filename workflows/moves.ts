import { type PlannedBlock, siblingAfter } from '#flows'
import { keepOutput } from './answers.ts'
import type { PlannedFlow } from './context.ts'
import type { Move, NewScope } from './kinds/block.ts'
import { blockKindOf } from './kinds/index.ts'
import { advance, recordStart } from './steps/advance.ts'
import { climb, leave } from './steps/climb.ts'
import { endRound, startScopes } from './steps/scopes.ts'
import { startPause } from './steps/windowStart.ts'
import { policyFor, toIndex } from './steps/windows.ts'
import type { Token } from './tokens.ts'

/** A block begins lists, fails, or ends. */
export function move(flow: PlannedFlow, token: Token, step: PlannedBlock, next: Move): void {
  const { progress } = flow
  if ('start' in next) start(flow, token, step, next.start)
  else if ('fail' in next) {
    const { type } = next.fail
    const policy = policyFor(step, type)
    if (policy === undefined || policy === 'fail') climb(flow, token, type, { outcome: 'failed', failure: next.fail })
    else {
      const to =
        policy === 'continue' ? siblingAfter(progress.plan.steps, token.step) : toIndex(progress, token, policy)
      advance(flow, token, to, `error:${type}`)
    }
  } else if ('leave' in next) end(flow, token, step, next)
}

function start(flow: PlannedFlow, token: Token, step: PlannedBlock, scopes: readonly NewScope[]): void {
  const { progress, runtime } = flow
  endRound(progress, token, step)
  for (const scope of scopes) recordStart(flow, token, scope)
  startScopes(progress, token, scopes, runtime.now())
  if (step.kind === 'repeat' && step.every !== null) startPause(flow, token, step, step.every)
}

/** Its lists that still run are undone before the flow goes on. */
function end(flow: PlannedFlow, token: Token, step: PlannedBlock, next: Extract<Move, { leave: unknown }>): void {
  const { progress } = flow
  const { leave: cause, drop = [] } = next
  const output = token.block && blockKindOf(step).output?.(token.block, cause)
  const tooLarge = output === undefined ? undefined : keepOutput(progress, token, step, output)
  if (tooLarge !== undefined) {
    climb(flow, token, tooLarge.type, { outcome: 'failed', failure: tooLarge })
    return
  }
  const to = siblingAfter(progress.plan.steps, token.step)
  if (drop.length === 0) advance(flow, token, to, cause)
  else leave(flow, token, { scopes: drop, to, cause })
}
