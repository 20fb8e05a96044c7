import { type Cause, isBlock, siblingAfter } from '#flows'
import { keepError } from '../answers.ts'
import type { PlannedFlow } from '../context.ts'
import { type Ending, holderOf, isLeft, stepOf } from '../progress.ts'
import { blockPath, isUnder } from '../scopes.ts'
import type { Leaving, Token } from '../tokens.ts'
import { advance, endIn, recordEdge } from './advance.ts'
import { dropTokens, endScope, forgetScopes, leaveShipments } from './scopes.ts'
import { stopResolving } from './windowStart.ts'
import { policyFor, toIndex } from './windows.ts'

/**
 * The step of a token cannot go on. Its code climbs to the first block around it that names it, and the block undoes its
 * steps. A code that no block names ends the flow.
 * @param cause absent for an error whose policy the step does not declare
 */
export function climb(flow: PlannedFlow, token: Token, code: string, ending: Ending, cause?: Cause): void {
  const { progress } = flow
  const edge = cause ?? (`error:${code}` as const)
  let scope = token
  for (let holder = holderOf(progress, scope); holder !== undefined; holder = holderOf(progress, scope)) {
    const block = stepOf(progress, holder)
    // Another code ends it already.
    if (block === undefined || !isBlock(block) || holder.leaving !== undefined || isLeft(progress, holder.id)) return
    if (block.kind === 'forEach' && block.onItemError === 'continue') {
      recordEdge(flow, token, edge, holder.step)
      leave(flow, scope, { scopes: [scope.id], to: scope.to, cause: edge, error: code })
      return
    }
    const policy = policyFor(block, code)
    if (policy !== undefined && policy !== 'fail') {
      recordEdge(flow, token, edge, holder.step)
      const next = siblingAfter(progress.plan.steps, holder.step)
      const to = policy === 'continue' ? next : toIndex(progress, holder, policy)
      leaveBlock(flow, holder, { to, cause: `error:${code}`, error: code })
      return
    }
    scope = holder
  }
  endIn(flow, token, ending, cause)
}

/** A block ends early. All of its steps are undone, those of lists that have ended too. */
export function leaveBlock(flow: PlannedFlow, token: Token, leaving: Omit<Leaving, 'scopes'>): void {
  const { name = '' } = stepOf(flow.progress, token) ?? {}
  leave(flow, token, { ...leaving, scopes: [blockPath(token.id, name)] })
}

/** A block goes on without some of its lists, or the item of a list ends early. Their steps are undone first. */
export function leave(flow: PlannedFlow, token: Token, leaving: Leaving): void {
  token.leaving = leaving
  stopResolving(flow, token)
  for (const each of flow.progress.tokens) {
    if (leaving.scopes.some(scope => isUnder(each.id, scope))) stopResolving(flow, each)
  }
  leaveShipments(flow, leaving.scopes)
}

/** The scopes that a token leaves are undone. */
export function finishLeaving(flow: PlannedFlow, token: Token): void {
  const { progress } = flow
  const { leaving } = token
  // The undo of the flow, or of a scope around this one, goes on with the rest.
  if (leaving === undefined || progress.ending !== undefined || isLeft(progress, token.id, token)) return
  const { scopes, to, cause, error } = leaving
  forgetScopes(progress, scopes)
  if (scopes.includes(token.id)) {
    endScope(progress, token, error)
    return
  }
  dropTokens(progress, scopes)
  const step = stepOf(progress, token)
  if (error !== undefined && step !== undefined) keepError(progress, token, step, error)
  advance(flow, token, to, cause)
}
