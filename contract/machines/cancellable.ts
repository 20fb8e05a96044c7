import { type StateCode, states } from '#contract/terms'
import { add, type BookedShipment, type Group, groupKey, issue, withSuccessors } from './jointStates.ts'
import { type Reachability, reachability } from './transitions.ts'

/** The state that each named role must have reached, or one that follows it. */
export type WaitedStates = Readonly<Record<string, string>>

/** The part of a flow's step that concerns shipments. */
export interface ShipmentStep {
  /** The shipments that it books. */
  readonly books?: readonly BookedShipment[]
  readonly wait?: WaitedStates
  /** The flow may go on without it: by its condition, or after an error. */
  readonly optional?: boolean
  /** The indexes of the steps to which the flow may go before this one is complete. */
  readonly jumps?: readonly number[]
  /** The steps of its own, which come after it. */
  readonly block?: ShipmentBlock
}

export interface ShipmentBlock {
  /** together: its lists run beside each other. oneOf: one of them runs. loop: its list runs any number of times. */
  readonly kind: 'together' | 'oneOf' | 'loop'
  readonly lists: readonly { readonly from: number; readonly to: number }[]
  /** The index after its last step. */
  readonly end: number
  /** It may end before all of its lists have. */
  readonly isPartial?: boolean
}

/** The roles that can be cancelled in a step: the shipment is active and holds no item. */
export interface CancellableRoles {
  /** In every joint state of the shipments that is possible there. */
  readonly always: readonly string[]
  /** In some of them: a flow can reach the step by several paths. */
  readonly sometimes: readonly string[]
}

const none: CancellableRoles = { always: [], sometimes: [] }

/** For each step, the roles that can be cancelled in it; none in a step that no state leads to. */
export function cancellableRoles(steps: readonly ShipmentStep[]): CancellableRoles[] {
  const roles = steps.flatMap(({ books = [] }) => books)
  const own = roles.filter(({ existing }) => !existing)
  const parts = toParts(roles)
  const same = new Map(roles.flatMap(({ role, sameAs }) => (sameAs === undefined ? [] : [[role, sameAs] as const])))
  const start: Situation = new Map([...new Set(parts.values())].map(part => [part, [[]]]))
  const passed = passAll(steps, start, { parts, same, reachable: reachability() })
  return steps.map((_, index) => {
    const during = passed.get(index)
    if (during === undefined) return none
    const inWay = (way: keyof CancellableRoles) =>
      own.flatMap(({ role }) => (freeIn(role, during.get(parts.get(role) ?? '') ?? []) === way ? [role] : []))
    return { always: inWay('always'), sometimes: inWay('sometimes') }
  })
}

/** The situation during each step that can arise, by its index. */
function passAll(steps: readonly ShipmentStep[], start: Situation, shipments: Shipments): Map<number, Situation> {
  const passed = new Map<number, Situation>()
  const note = (index: number, during: Situation) => passed.set(index, unite(passed.get(index), during))
  passList({ from: 0, to: steps.length }, start)
  return passed

  /** The situation after a list; undefined if it never ends. */
  function passList({ from, to }: { readonly from: number; readonly to: number }, entry: Situation) {
    const entries = new Map<number, Situation>([[from, entry]])
    const follow = (next: number, situation: Situation | undefined) => {
      if (situation !== undefined) entries.set(Math.min(next, to), unite(entries.get(Math.min(next, to)), situation))
    }
    for (let index = from; index < to; ) {
      const step = steps[index] as ShipmentStep
      const next = step.block?.end ?? index + 1
      const before = entries.get(index)
      if (before !== undefined) {
        const { during, after } = step.block ? passBlock(step.block, before) : pass(step, before, shipments)
        if (during !== undefined) note(index, during)
        follow(next, after)
        if (step.optional) follow(next, before)
        for (const jump of step.jumps ?? []) follow(jump, during)
      }
      index = next
    }
    return entries.get(to)
  }

  function passBlock(block: ShipmentBlock, before: Situation): { during: Situation; after: Situation | undefined } {
    if (block.kind === 'loop') return passLoop(block, before)
    const ends = block.lists.map(list => passList(list, before))
    const during = ends.reduce<Situation>((all, end) => (end === undefined ? all : unite(all, end)), before)
    if (block.kind === 'oneOf') {
      const possible = ends.flatMap(end => end ?? [])
      return { during, after: possible.length === 0 ? undefined : possible.reduce((one, other) => unite(one, other)) }
    }
    if (block.isPartial) return { during, after: during }
    if (ends.includes(undefined)) return { during, after: undefined }
    // Each branch leaves the shipments of the others as they are.
    const after = new Map(before)
    for (const [place, list] of block.lists.entries()) {
      for (const part of partsIn(list)) after.set(part, ends[place]?.get(part) ?? [])
    }
    return { during, after }
  }

  /** The shipments that an item or a round books are its own. Two passes suffice: the states of the others only grow. */
  function passLoop({ lists }: ShipmentBlock, before: Situation) {
    const [list = { from: 0, to: 0 }] = lists
    const booked = steps.slice(list.from, list.to).flatMap(({ books = [] }) => books)
    const own = new Set(booked.map(({ role }) => shipments.parts.get(role) ?? ''))
    const withoutOwn = (situation: Situation): Situation =>
      new Map([...situation].map(([part, groups]) => [part, own.has(part) ? (before.get(part) ?? []) : groups]))
    const first = passList(list, before)
    const later = first && passList(list, unite(withoutOwn(first), before))
    const during = [first, later].reduce<Situation>((all, end) => (end ? unite(all, end) : all), before)
    return { during, after: withoutOwn(during) }
  }

  function partsIn({ from, to }: { readonly from: number; readonly to: number }): Set<string> {
    const inside = steps.slice(from, to)
    const roles = inside.flatMap(({ books = [], wait = {} }) => [
      ...books.map(({ role }) => role),
      ...Object.keys(wait),
    ])
    return new Set(roles.map(role => shipments.parts.get(shipments.same.get(role) ?? role) ?? ''))
  }
}

/** The possible joint states of each part of the shipments. Shipments of different parts do not influence each other. */
type Situation = ReadonlyMap<string, readonly Group[]>

interface Shipments {
  /** The part of each role: the name of its first role. */
  readonly parts: ReadonlyMap<string, string>
  readonly same: ReadonlyMap<string, string>
  readonly reachable: Reachability
}

/** The situations during a step, and after it; undefined for one that cannot arise. */
function pass(
  { books, wait }: ShipmentStep,
  entry: Situation,
  shipments: Shipments,
): { during: Situation | undefined; after: Situation | undefined } {
  if (wait !== undefined) return passWait(wait, entry, shipments)
  if (books === undefined) return { during: entry, after: entry }
  const after = new Map(entry)
  for (const shipment of books) {
    const part = shipments.parts.get(shipment.role) ?? ''
    const groups = after.get(part) ?? [[]]
    after.set(part, shipment.sameAs === undefined ? add(shipment, groups) : issue(shipment.sameAs, groups))
  }
  for (const part of new Set(books.map(({ role }) => shipments.parts.get(role) ?? ''))) {
    after.set(part, [...withSuccessors(after.get(part) ?? []).values()])
  }
  return { during: entry, after }
}

function passWait(wait: WaitedStates, entry: Situation, { parts, same, reachable }: Shipments) {
  const waited = new Map<string, [string, string][]>()
  for (const [name, wanted] of Object.entries(wait)) {
    const role = same.get(name) ?? name
    const part = parts.get(role) ?? ''
    waited.set(part, [...(waited.get(part) ?? []), [role, wanted]])
  }
  const isReached = (group: Group, part: string) =>
    (waited.get(part) ?? []).every(([role, wanted]) => {
      const state = group.find(({ uid }) => uid === role)?.state
      return state === wanted || (state !== undefined && reachable[wanted as StateCode].includes(state))
    })
  const divided = [...waited.keys()].map(part => {
    const groups = entry.get(part) ?? []
    return {
      part,
      reached: groups.filter(group => isReached(group, part)),
      open: groups.filter(group => !isReached(group, part)),
    }
  })
  const open = divided.filter(({ open }) => open.length > 0)
  const [only] = open
  // With one open part its shipments delay the step. With several, each of them may have arrived before the others.
  const during = only === undefined ? undefined : open.length > 1 ? entry : new Map(entry).set(only.part, only.open)
  const isPossible = divided.every(({ reached }) => reached.length > 0)
  const after = isPossible
    ? new Map([...entry, ...divided.map(({ part, reached }) => [part, reached] as const)])
    : undefined
  return { during, after }
}

/** Unites what is possible on two paths to a step. */
function unite(one: Situation | undefined, other: Situation): Situation {
  if (one === undefined) return other
  return new Map(
    [...one].map(([part, groups]) => {
      const all = new Map([...groups, ...(other.get(part) ?? [])].map(group => [groupKey(group), group]))
      return [part, [...all.values()]]
    }),
  )
}

/** The share of the groups with the shipment in which it can be cancelled. */
function freeIn(role: string, groups: readonly Group[]): keyof CancellableRoles | 'never' {
  const found = groups.flatMap(group => group.filter(({ uid }) => uid === role))
  const free = found.filter(({ state }) => !states[state].final && !states[state].holdsItem)
  if (free.length === 0) return 'never'
  return free.length === found.length ? 'always' : 'sometimes'
}

/** Roles that are linked, over any number of links, form a part. */
function toParts(roles: readonly BookedShipment[]): Map<string, string> {
  const parts = new Map<string, string>()
  for (const { role, link, sameAs } of roles) {
    const known = [link?.to, sameAs].flatMap(to => (to === undefined ? [] : [parts.get(to) ?? to]))
    const [part = role] = known
    parts.set(role, part)
    for (const [other, otherPart] of parts) if (known.includes(otherPart)) parts.set(other, part)
  }
  return parts
}
