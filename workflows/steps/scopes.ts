import { type Json, type PlannedBlock, type PlannedStep, resolve } from '#flows'
import { forgetValues, renameValues } from '../answers.ts'
import type { PlannedFlow } from '../context.ts'
import type { NewScope } from '../kinds/block.ts'
import { dropCancelled, markUndone, renameRoles } from '../lockers/index.ts'
import { dropWay, setTokens } from '../position.ts'
import { type FlowProgress, holderOf, stepOf, toValues } from '../progress.ts'
import { isInItem, isOfRound, isUnder, readScope, roundId, toName, toRoundKey } from '../scopes.ts'
import { type EndedScope, startToken, type Token } from '../tokens.ts'

/** Begins the lists of a block, which are entered next. */
export function startScopes(progress: FlowProgress, token: Token, scopes: readonly NewScope[], now: number): void {
  const { block } = token
  if (block === undefined) throw new Error(`The step ${stepOf(progress, token)?.name} has not begun.`)
  block.started += scopes.length
  setTokens(progress, [
    ...progress.tokens,
    ...scopes.map(({ id, from, to }) => startToken(id, token.id, from, to, now)),
  ])
  // The input can leave out every step of a list.
  for (const each of progress.tokens) if (each.up === token.id && each.step >= each.to) endScope(progress, each)
}

/** The list of a token has ended: its block learns of it. */
export function endScope(progress: FlowProgress, token: Token, error?: string): void {
  const holder = holderOf(progress, token)
  const step = holder && stepOf(progress, holder)
  if (holder?.block === undefined || step === undefined) return
  const { branch, item } = readScope(token.id)
  const ended: EndedScope = {
    key: branch ?? item ?? '',
    ...(error === undefined ? toCollected(progress, token, step) : { error }),
  }
  holder.block.ended = [...holder.block.ended, ended]
  dropTokens(progress, [token.id])
}

function toCollected(progress: FlowProgress, { id }: Token, step: PlannedStep): { collected?: Json } {
  return step.kind === 'forEach' ? { collected: resolve(step.collect, toValues(progress, id)) } : {}
}

/** Removes the tokens of scopes, with all below them. */
export function dropTokens(progress: FlowProgress, scopes: readonly string[]): void {
  setTokens(
    progress,
    progress.tokens.filter(({ id }) => !scopes.some(scope => isUnder(id, scope))),
  )
}

/** The flow goes on without the shipments of scopes that it leaves. */
export function leaveShipments({ progress }: PlannedFlow, scopes: readonly string[]): void {
  for (const scope of scopes) {
    const roles = stepsIn(progress, scope).flatMap(step => (step.kind === 'book' ? step.roles : []))
    const names = new Set(roles.map(({ name }) => name))
    markUndone(progress.lockers, role => names.has(toName(role)) && isInItem(role, scope))
  }
}

/** Forgets the values of scopes that are undone. */
export function forgetScopes(progress: FlowProgress, scopes: readonly string[]): void {
  for (const scope of scopes) {
    const names = new Set(stepsIn(progress, scope).map(({ name }) => name))
    forgetValues(progress, key => names.has(toName(key)) && isInItem(key, scope))
  }
}

/**
 * The values of the round before are those of no step any more. Where a step of it may be undone, they are kept under a name
 * of the round.
 */
export function endRound(progress: FlowProgress, token: Token, step: PlannedBlock): void {
  const round = token.block?.started ?? 0
  if (step.kind !== 'repeat' || round === 0) return
  const id = roundId(token.id, step.name, round)
  const steps = progress.plan.steps.slice(token.step + 1, step.end)
  dropCancelled(progress)
  const isUndone = progress.undo.some(entry => isUnder(entry.token ?? '', id))
  const names = new Set(steps.map(({ name }) => name))
  const isOf = (key: string) => names.has(toName(key)) && !isOfRound(key) && isInItem(key, token.id)
  renameValues(progress, key => (!isOf(key) ? key : isUndone ? toRoundKey(id, key) : undefined))
  const roles = new Set(steps.flatMap(each => (each.kind === 'book' ? each.roles.map(({ name }) => name) : [])))
  const isBookedIn = (role: string) => roles.has(toName(role)) && !isOfRound(role) && isInItem(role, token.id)
  renameRoles(progress.lockers, role => (isBookedIn(role) ? toRoundKey(id, role) : role))
  dropWay(progress, id)
}

/** The steps of a scope, those of its blocks included. */
function stepsIn({ plan }: FlowProgress, scope: string): readonly PlannedStep[] {
  const { block: name, branch } = readScope(scope)
  const index = plan.steps.findIndex(step => step.name === name)
  const step = plan.steps[index]
  const range = step?.kind === 'parallel' ? step.branches.find(each => each.name === branch) : undefined
  if (range !== undefined) return plan.steps.slice(range.from, range.to)
  return step !== undefined && 'end' in step ? plan.steps.slice(index + 1, step.end) : []
}
