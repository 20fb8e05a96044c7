import type { FlowDeclaration, Step } from '#flows/declaration'
import type { Value } from './conditions.ts'
import { comparedIn, domainOf } from './domains.ts'
import { bookedBy, inputOf, outputOf } from './flow.ts'
import { holdersOf, type PlacedList, type PlacedStep, treeOf } from './tree.ts'
import { fieldsIn, type Member, type Members, required, typesIn } from './valueType.ts'

/** The names that paths of a step can begin with. */
export interface Scope {
  /** Outputs of the steps before, by name. */
  readonly outputs: ReadonlyMap<string, Members>
  /** Roles that steps before book. */
  readonly roles: ReadonlySet<string>
  readonly input: Members
}

/** A part of a path that is unknown, and the names that could stand there. */
export interface UnknownMember {
  readonly unknown: string
  /** The number of parts before it. */
  readonly depth: number
  readonly names: readonly string[]
}

export type FoundMember = Member | UnknownMember

/** The names that step `index` can use; those of the whole flow after the last step. */
export function scopeAt(flow: FlowDeclaration, index: number): Scope {
  const tree = treeOf(flow)
  const placed = tree[index]
  const seen =
    placed === undefined ? tree.filter(({ list }) => list.holder === undefined).flatMap(seenAfter) : seenAt(placed)
  return toScope(flow, seen, placed === undefined ? [] : holdersOf(placed))
}

/** The names that the end of a loop's list can use: its condition, and the fields that it collects. */
export function scopeInside(flow: FlowDeclaration, block: PlacedStep): Scope {
  const inside = block.lists.flatMap(({ steps }) => steps.flatMap(seenAfter))
  return toScope(flow, [...seenAt(block), ...inside], [block, ...holdersOf(block)])
}

/** A step whose output can be read. */
interface Seen {
  readonly step: Step
  /** Its list may have been left out, or undone. */
  readonly isOpen: boolean
}

function seenAt(placed: PlacedStep): Seen[] {
  const before = placed.list.steps.filter(({ index }) => index < placed.index).flatMap(seenAfter)
  return placed.list.holder === undefined ? before : [...seenAt(placed.list.holder), ...before]
}

/** What can be read after a step: it and its own. An item of a list is its own affair, and `collect` is the way out. */
function seenAfter({ step, lists }: PlacedStep): Seen[] {
  const isPartial = 'parallel' in step && (step.until ?? 'all') !== 'all'
  const inner = 'forEach' in step ? [] : lists.flatMap(list => list.steps.flatMap(seenAfter))
  return [{ step, isOpen: false }, ...inner.map(seen => (isPartial ? { ...seen, isOpen: true } : seen))]
}

function toScope(flow: FlowDeclaration, seen: readonly Seen[], holders: readonly PlacedStep[]): Scope {
  const outputs = new Map<string, Members>()
  const input = inputOf(flow)
  for (const { step, isOpen } of seen) {
    const output = outputOf(step)
    if (output === undefined) continue
    outputs.set(step.name, isOpen ? withOptional(output) : output)
  }
  const scope = { outputs, roles: new Set(seen.flatMap(({ step }) => bookedBy(step))), input }
  for (const { step } of holders.toReversed()) {
    if ('repeat' in step) outputs.set(step.name, { ...outputs.get(step.name), round: required({ kind: 'integer' }) })
    if ('forEach' in step) outputs.set(step.item, itemOf(scope, step.forEach) ?? {})
  }
  return scope
}

function withOptional(members: Members): Members {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, { ...member, optional: true }]))
}

/** The fields of the items of a list; undefined for another value. */
export function itemOf(scope: Scope, path: string): Members | undefined {
  const member = findMember(scope, path)
  if ('unknown' in member || member.type.kind !== 'list') return undefined
  return fieldsIn(member.type.of.type)
}

const uidOfRole: Members = { shipmentUid: required({ kind: 'uid' }) }

/** The type at a path, or the part of it that is unknown and the names that could stand there. */
export function findMember({ outputs, roles, input }: Scope, path: string): FoundMember {
  const [head = '', ...rest] = path.split('.')
  const uid = roles.has(head) ? uidOfRole : undefined
  const output = outputs.get(head)
  // A wait can have the name of a role.
  const members = head === 'input' ? input : output && uid ? { ...output, ...uid } : (output ?? uid)
  if (members === undefined) return { unknown: head, depth: 0, names: ['input', ...outputs.keys(), ...roles] }
  return memberIn(members, rest, 1)
}

function memberIn(members: Members, [name = '', ...rest]: readonly string[], depth: number): FoundMember {
  const member = Object.hasOwn(members, name) ? members[name] : undefined
  if (member === undefined) return { unknown: name, depth, names: Object.keys(members) }
  if (rest.length === 0) return member
  const { type } = member
  const isOneOf = typesIn(type) !== undefined
  if (type.kind === 'any' && !isOneOf) return { ...member, optional: true }
  const fields = fieldsIn(type)
  if (fields === undefined) return { unknown: rest[0] ?? '', depth: depth + 1, names: [] }
  const below = memberIn(fields, rest, depth + 1)
  if ('unknown' in below) return below
  return { ...below, optional: below.optional || member.optional || member.nullable || isOneOf }
}

/** Every name of a flow. */
function wholeScope(flow: FlowDeclaration): Scope {
  const tree = treeOf(flow)
  const seen = tree.map(({ step, list }) => ({ step, isOpen: isInPartial(list) }))
  return toScope(flow, seen, tree.filter(({ lists }) => lists.length > 0).toReversed())
}

function isInPartial({ holder }: PlacedList): boolean {
  if (holder === undefined) return false
  const { step } = holder
  return ('parallel' in step && (step.until ?? 'all') !== 'all') || isInPartial(holder.list)
}

/** The values of the paths of a flow that its conditions tell apart. */
export function domainsOf(flow: FlowDeclaration): (path: string) => Value[] {
  const scope = wholeScope(flow)
  const comparedWith = comparedIn(flow)
  const known = new Map<string, Value[]>()
  return path => {
    const found = known.get(path) ?? toDomain(path)
    known.set(path, found)
    return found
  }

  function toDomain(path: string): Value[] {
    const member = findMember(scope, path)
    return domainOf('unknown' in member ? required({ kind: 'any' }) : member, comparedWith(path))
  }
}
