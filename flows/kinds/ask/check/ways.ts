import type { AskStep } from '#flows/declaration'
import { type Node, toNext, type Way } from '../../../check/ways/situation/node.ts'
import { withResult } from '../../../check/ways/situation/values.ts'
import { timeout, type WayParts } from '../../../check/ways/situation/ways.ts'

export function* waysFrom(node: Node, step: AskStep, parts: WayParts): Iterable<Way> {
  for (const answer of Object.keys(step.ask)) {
    yield toNext(withResult(node, step, `answer:${answer}`), `answer:${answer}`)
  }
  yield* timeout(node, step, parts)
}
