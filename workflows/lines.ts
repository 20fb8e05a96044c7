import type { FlowLine, OpenQuestion } from '#flows'
import { type FlowProgress, holderOf, isIn, isLeft, stepOf } from './progress.ts'
import { toEffectKey, toValueKey } from './scopes.ts'
import { isOverdue, rootOf, type Token } from './tokens.ts'

/** The tokens that stand at a step without steps of its own, or at a block between two rounds: what the flow does now. */
export function linesOf(progress: FlowProgress): Token[] {
  const { tokens } = progress
  return tokens.filter(
    token =>
      stepOf(progress, token) !== undefined && tokens.every(({ up }) => up !== token.id) && !isLeft(progress, token.id),
  )
}

/** The line that people see first: the one that is overdue, else the one that asks, else the oldest. */
export function findLine(progress: FlowProgress): Token {
  const lines = linesOf(progress)
  const asks = (token: Token) => questionAt(progress, token) !== null
  return progress.tokens.find(isOverdue) ?? lines.find(asks) ?? lines[0] ?? rootOf(progress)
}

/** All lines in their public form, those that are overdue first; undefined in a flow without blocks that run. */
export function toLines(progress: FlowProgress): FlowLine[] | undefined {
  const overdue = progress.tokens.filter(isOverdue)
  const shown = [...new Set([...overdue, ...linesOf(progress)])]
  if (shown.every(({ up }) => up === null)) return undefined
  return shown.map(token => {
    const question = questionAt(progress, token)
    const deadline = deadlineOf(progress, token)
    return {
      step: toEffectKey(token.id, stepOf(progress, token)?.name ?? ''),
      scope: token.id,
      since: new Date(token.since).toISOString(),
      deadline: deadline === null ? null : new Date(deadline).toISOString(),
      overdue: isOverdue(token),
      ...(question !== null && { asks: question }),
    }
  })
}

/** The end of the window of its step, or of a block around it if that is earlier; null without one. */
export function deadlineOf(progress: FlowProgress, token: Token): number | null {
  const holder = holderOf(progress, token)
  const around = holder === undefined ? null : deadlineOf(progress, holder)
  const { deadline } = token
  if (around === null || isOverdue(token)) return deadline
  return deadline === null ? around : Math.min(deadline, around)
}

/** The question that is asked at a token; null without one. */
export function questionAt(progress: FlowProgress, token: Token): OpenQuestion | null {
  const step = stepOf(progress, token)
  if (step?.kind !== 'ask' || !isIn(progress, token, step)) return null
  const key = toValueKey(token.id, step.name)
  if (progress.answered[key] !== undefined) return null
  return { step: key, answers: step.answers, who: step.who }
}
