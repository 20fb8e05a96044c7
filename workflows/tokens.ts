import type { Cause, Json } from '#flows'

/**
 * A place at which a flow stands: its cursor in one list of the plan. A flow without blocks has one. A token at a block has
 * tokens below it, and a token with all below it is a scope.
 */
export interface Token {
  /** Empty for the flow itself. Else its path through the blocks: `parcels[A-1]/back.customer` or `nudges#3`. */
  readonly id: string
  /** The token that stands at the block; null for that of the flow. */
  readonly up: string | null
  /** The index after the last step of its list. */
  readonly to: number
  /** The index of its step. */
  step: number
  /** The step has begun: its window runs. */
  entered: boolean
  /** The start of the step, in milliseconds. */
  since: number
  deadline: number | null
  /** An activity resolves the deadline; the flow does not continue as new meanwhile. */
  resolving?: true
  /** When the step became overdue. Absent while it is not. */
  overdueSince?: number
  /** What a block has begun. Absent at other steps. */
  block?: BlockProgress
  /** The block, or the item of a list, ends early, and undoes its steps first. */
  leaving?: Leaving
  /** The id of the last notification that the step is overdue, while no decision has answered it. */
  overdueNotice?: string
}

export interface BlockProgress {
  /** The keys of the items of a list. */
  readonly keys?: readonly string[]
  /** The branches, items or rounds that have begun. */
  started: number
  /** Those that have ended, in their order. */
  ended: readonly EndedScope[]
  /** The moment at which the next round begins; null until a calendar has told it. Absent: at once. */
  nextAt?: number | null
  /** The list cannot be run. */
  fault?: { readonly type: string; readonly message: string }
}

/** A branch, an item or a round that has ended. */
export interface EndedScope {
  /** The name of the branch, or the key of the item. Empty for the list of another block. */
  readonly key: string
  readonly collected?: Json
  /** The code of an item that has failed. */
  readonly error?: string
}

/** What comes after the undo of scopes. */
export interface Leaving {
  /** The ids of the tokens that end, with all below them. */
  readonly scopes: readonly string[]
  readonly to: number
  readonly cause: Cause
  /** The code that the block tolerates, or with which the item has failed. */
  readonly error?: string
}

export function startToken(id: string, up: string | null, from: number, to: number, now: number): Token {
  return { id, up, to, step: from, entered: false, since: now, deadline: null }
}

/** The token of the flow itself. */
export function rootOf({ tokens }: { readonly tokens: readonly Token[] }): Token {
  // Every progress has one, and it comes first.
  return tokens[0] as Token
}

/** The token goes on to another step, which it has not entered yet. */
export function moveTo(token: Token, step: number): void {
  token.step = step
  token.entered = false
  token.deadline = null
  delete token.block
  delete token.leaving
  endOverdue(token)
}

/** The step begins: from now on its window runs. */
export function startStep(token: Token, now: number): void {
  token.entered = true
  token.since = now
}

export function setDeadline(token: Token, deadline: number | null): void {
  token.deadline = deadline
}

export function setResolving(token: Token, isResolving: boolean): void {
  if (isResolving) token.resolving = true
  else delete token.resolving
}

/** @param moment null until a calendar has told it */
export function setNextRound({ block }: Token, moment: number | null): void {
  if (block !== undefined) block.nextAt = moment
}

export function isOverdue({ overdueSince }: Token): boolean {
  return overdueSince !== undefined
}

/** A worker may learn of a passed window later. A locker out of service interrupts a window that has not passed. */
export function startOverdue(token: Token, now: number): void {
  token.overdueSince ??= Math.min(token.deadline ?? now, now)
}

export function endOverdue(token: Token): void {
  delete token.overdueSince
  delete token.overdueNotice
}
