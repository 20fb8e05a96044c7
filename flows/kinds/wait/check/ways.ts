import type { Group } from '#contract/machines'
import type { StateCode } from '#contract/terms'
import type { WaitStep } from '#flows/declaration'
import { type Node, toNext, type Way } from '../../../check/ways/situation/node.ts'
import { hasReached, type Part, partOf, replacePart, stateIn } from '../../../check/ways/situation/parts.ts'
import { withResult } from '../../../check/ways/situation/values.ts'
import { decisions, timeout, type WayParts } from '../../../check/ways/situation/ways.ts'

/** A part of which a step awaits states. */
interface AwaitedPart {
  readonly part: Part
  readonly reached: readonly Group[]
  readonly open: readonly Group[]
}

export function* waysFrom(node: Node, step: WaitStep, parts: WayParts): Iterable<Way> {
  const awaited = awaitedParts(node, step)
  const isBooked = Object.keys(step.wait).every(role => node.roles.has(role))
  if (isBooked && awaited.every(({ reached }) => reached.length > 0)) {
    const known = new Map([...node.known, ...Object.entries(step.wait)])
    const after = awaited.reduce(
      (all, { part, reached }) => replacePart(all, part, parts.shipments.of(reached)),
      node.parts,
    )
    yield toNext(withResult({ ...node, known, parts: after }, step, 'ended:reached'), 'reached')
  }
  if (isBooked && awaited.every(({ open }) => open.length === 0)) return
  for (const open of openNodes(node, awaited, isBooked, parts)) {
    yield* timeout(withResult(open, step, 'ended:timedOut'), step, parts)
  }
  if (step.onLockerOutOfService === 'ask') yield* decisions(node, parts)
}

export function awaitedParts({ parts, roles }: Node, { wait }: WaitStep): AwaitedPart[] {
  const byPart = new Map<Part, [string, StateCode][]>()
  for (const [role, wanted] of Object.entries(wait)) {
    const uid = roles.get(role)
    const part = partOf(parts, uid)
    if (part !== undefined && uid !== undefined) byPart.set(part, [...(byPart.get(part) ?? []), [uid, wanted]])
  }
  return [...byPart].map(([part, wanted]) => {
    const isReached = (group: Group) => wanted.every(([uid, state]) => hasReached(stateIn(group, uid) ?? '', state))
    return { part, reached: part.groups.filter(isReached), open: part.groups.filter(group => !isReached(group)) }
  })
}

/** The situations in which the step waits, one for each part that has not arrived. */
function openNodes(node: Node, awaited: readonly AwaitedPart[], isBooked: boolean, { shipments }: WayParts): Node[] {
  if (!isBooked) return [node]
  return awaited
    .filter(({ open }) => open.length > 0)
    .map(({ part, open }) => ({ ...node, parts: replacePart(node.parts, part, shipments.of(open)) }))
}
