import { operationAt } from '#contract'
import { findShipmentUid, normalizeMessage } from '#gateway/message'
import { type Handling, pass, type Wires } from '#testing/stack'
import { type Fail, refusalOf, StoryFaults } from '#testing/story'

/** The faults of a story on real parts, at the wires between them. */
export class RealFaults extends StoryFaults {
  /** Uids of shipments whose callbacks are lost. */
  readonly lost = new Set<string>()

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
    const { status, body } = refusalOf(code)
    return done
      ? { kind: 'rewrite', status, change: answer => ({ ...answer, ...body }) }
      : { kind: 'answer', status, body }
  }
  if (fault === 'unavailable') return { kind: 'status', status: 503, headers: { 'retry-after': '1' } }
  return fault === 'requestLost' ? { kind: 'cut' } : { kind: 'loseAnswer' }
}
