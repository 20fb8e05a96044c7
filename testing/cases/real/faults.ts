import { operationAt } from '#contract'
import { type ErrorCode, errors, isErrorCode } from '#contract/terms'
import { findShipmentUid, normalizeMessage } from '#gateway/message'
import type { Fail } from '#testing/cases'
import { type Handling, pass, type Wires } from '#testing/stack'

/** The work that fails now, by its operation or activity, and the shipments whose callbacks are lost. */
export class RealFaults {
  readonly #failing = new Map<string, { readonly work: Fail; left: number }>()
  /** Uids of shipments whose callbacks are lost. */
  readonly lost = new Set<string>()

  get areInForce(): boolean {
    return this.#failing.size > 0
  }

  fail(work: Fail): void {
    const name = work.book ?? work.call ?? work.run ?? ''
    this.#failing.set(name, { work, left: work.times ?? Number.POSITIVE_INFINITY })
  }

  recover(name: string): void {
    this.#failing.delete(name)
  }

  clear(): void {
    this.#failing.clear()
  }

  /** The fault of the next attempt, which it uses up; undefined without one. */
  take(name: string): Fail | undefined {
    const failing = this.#failing.get(name)
    if (failing === undefined || failing.left <= 0) return undefined
    failing.left--
    return failing.work
  }

  /** Lets the calls of the worker fail, and the callbacks be lost, as a story demands. */
  rule({ toService, toGateway }: Wires): void {
    toService.rule = ({ path }) => toHandling(this.take(operationAt(path) ?? ''))
    toGateway.rule = ({ body }) => {
      const uid = findShipmentUid(normalizeMessage(body))
      return uid !== undefined && this.lost.has(uid) ? { kind: 'acknowledge' } : pass
    }
  }
}

function toHandling(work: Fail | undefined): Handling {
  if (work === undefined) return pass
  const { code, done, fault } = work
  if (code !== undefined) {
    const status = isErrorCode(code) ? errors[code as ErrorCode].status : 200
    const refusal = { success: false, error: code, message: 'The story refuses it.' }
    if (!done) return { kind: 'answer', status, body: refusal }
    return { kind: 'rewrite', status, change: answer => ({ ...answer, ...refusal }) }
  }
  if (fault === 'unavailable') return { kind: 'status', status: 503, headers: { 'retry-after': '1' } }
  return fault === 'responseLost' ? { kind: 'loseAnswer' } : pass
}
