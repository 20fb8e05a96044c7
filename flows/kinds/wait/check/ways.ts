import type { StateCode } from '#contract/terms'
import type { WaitStep } from '#flows/declaration'
import { type Node, toNext, type Way } from '../../../check/ways/situation/node.ts'
import { type Group, hasReached, type Part, partOf, replacePart, stateIn } from '../../../check/ways/situation/parts.ts'
import { withResult } from '../../../check/ways/situation/values.ts'
import { decisions, timeout, toEnd, type WayParts } from '../../../check/ways/situation/ways.ts'

/** Joint states beyond which the parts of a wait are not joined: the exploration then has more situations than there are. */
const maxJoined = 2_000

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
  if (step.completedBy?.update === 'release') yield* release(node, step.completedBy.role, parts)
  const isLeft = typeof step.onTimeout === 'object'
  const open = isLeft ? { ...node, parts: openParts(node, awaited, isBooked, parts) } : node
  yield* timeout(isLeft ? withResult(open, step, 'ended:timedOut') : open, step, parts)
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

/** The parts while the step waits: not all of them have arrived. */
function openParts(node: Node, awaited: readonly AwaitedPart[], isBooked: boolean, { shipments }: WayParts) {
  const [only, ...others] = awaited
  if (only === undefined || !isBooked) return node.parts
  if (others.length === 0) return replacePart(node.parts, only.part, shipments.of(only.open))
  const size = awaited.reduce((product, { part }) => product * part.groups.length, 1)
  if (size > maxJoined) return node.parts
  const join = (one: readonly Group[], two: readonly Group[]) => one.flatMap(a => two.map(b => [...a, ...b]))
  const reached = awaited.map(each => each.reached).reduce(join)
  const isArrived = new Set(reached.map(group => JSON.stringify(group)))
  const joined = awaited.map(({ part }) => part.groups).reduce(join)
  const rest = node.parts.filter(part => awaited.every(each => each.part !== part))
  return [...rest, shipments.of(joined.filter(group => !isArrived.has(JSON.stringify(group))))]
}

/** The flow completes without the released shipment. */
function* release(node: Node, role: string, parts: WayParts): Iterable<Way> {
  yield toEnd(parts, 'release')
  yield { kind: 'released', node: { ...node, roles: new Map([...node.roles].filter(([name]) => name !== role)) } }
}
