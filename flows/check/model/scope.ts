import type { FlowDeclaration } from '#flows/declaration'
import type { Value } from './conditions.ts'
import { comparedIn, domainOf } from './domains.ts'
import { bookedBy, inputOf, outputOf } from './flow.ts'
import { fieldsIn, type Member, type Members, required, typesIn, uniteFields } from './valueType.ts'

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
  const outputs = new Map<string, Members>()
  const before = flow.steps.slice(0, index)
  for (const step of before) {
    const output = outputOf(step)
    if (output) outputs.set(step.name, uniteFields(outputs.get(step.name) ?? {}, output))
  }
  return { outputs, roles: new Set(before.flatMap(bookedBy)), input: inputOf(flow) }
}

const uidOfRole: Members = { shipmentUid: required({ kind: 'uid' }) }

/** The type at a path, or the part of it that is unknown and the names that could stand there. */
export function findMember({ outputs, roles, input }: Scope, path: string): FoundMember {
  const [head = '', ...rest] = path.split('.')
  const members = head === 'input' ? input : (outputs.get(head) ?? (roles.has(head) ? uidOfRole : undefined))
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

/** The values of the paths of a flow that its conditions tell apart. */
export function domainsOf(flow: FlowDeclaration): (path: string) => Value[] {
  const scope = scopeAt(flow, flow.steps.length)
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
