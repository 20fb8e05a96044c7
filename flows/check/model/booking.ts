import { allSteps, type Role } from '#flows'
import type { BookStep, FlowDeclaration, Json, Source } from '#flows/declaration'
import { isBook } from './flow.ts'
import { operationOf, rolesOfStep } from './operations.ts'
import { findMember, type Scope, scopeAt } from './scope.ts'
import { headOf, readSource } from './source.ts'
import { fieldsIn, type Members, memberNamed, nameIn } from './valueType.ts'

/** Where a booking takes a field of its request from. */
export type FieldSource =
  | {
      readonly path: string
      /** Replaces an absent value, or null. */
      readonly or: Json | undefined
      /** Where it comes from instead if the value is absent: the parts of a merge before this one. */
      readonly before: FieldSource | undefined
    }
  | { readonly value: Json | undefined }

/** The fields of a request that decide how its shipments start. */
export interface BookingFields {
  /** The uid of the shipment that the booking issues or follows. */
  readonly existing: FieldSource
  readonly keepBooked: FieldSource
  /** By the field that leaves the receiver open. */
  readonly flags: ReadonlyMap<string, FieldSource>
}

const known = new WeakMap<FlowDeclaration, ReadonlyMap<BookStep, BookingFields>>()

export function fieldsOfBooking(flow: FlowDeclaration, step: BookStep): BookingFields {
  const fields =
    known.get(flow) ??
    new Map(
      allSteps(flow.steps)
        .filter(isBook)
        .map(book => [book, readFields(flow, book)]),
    )
  known.set(flow, fields)
  return fields.get(step) ?? readFields(flow, step)
}

function readFields(flow: FlowDeclaration, step: BookStep): BookingFields {
  const shape = operationOf(step)?.request.shape ?? {}
  const scope = scopeAt(flow, allSteps(flow.steps).indexOf(step))
  const read = (field: string) => fieldOf(scope, step.request, field)
  const existing = ['PriorShipmentUid', 'SwapsShipmentUid'].find(field => field in shape)
  const flags = rolesOfStep(step).flatMap(([, { withoutReceiver }]) =>
    typeof withoutReceiver === 'string' ? [[withoutReceiver, read(withoutReceiver)] as const] : [],
  )
  return {
    existing: existing === undefined ? { value: undefined } : read(existing),
    keepBooked: 'KeepBookedAfterPickUp' in shape ? read('KeepBookedAfterPickUp') : { value: false },
    flags: new Map(flags),
  }
}

/** A field of a request, in any casing. Without a request it is the field of the input. */
function fieldOf(scope: Scope, request: Source | undefined, field: string): FieldSource {
  if (request === undefined) return memberOfPath('input', scope.input, field)
  const read = readSource(request)
  if (read.kind === 'from') {
    const object = findMember(scope, read.path)
    const fields = 'unknown' in object ? undefined : fieldsIn(object.type)
    const found = memberOfPath(read.path, fields ?? {}, field)
    return 'path' in found && read.or !== undefined ? { ...found, or: memberOf(read.or, field) } : found
  }
  if (read.kind === 'value') return { value: memberOf(read.value, field) }
  if (read.kind === 'merge') {
    return read.parts.map(part => fieldOf(scope, part, field)).reduce(over, { value: undefined })
  }
  const below = read.kind === 'object' ? memberNamed(read.fields, field) : undefined
  if (below === undefined) return { value: undefined }
  const inner = readSource(below)
  if (inner.kind === 'from') return { path: inner.path, or: inner.or, before: undefined }
  return { value: inner.kind === 'value' ? inner.value : undefined }
}

/** A field that its object does not have is absent. */
function memberOfPath(path: string, members: Members, field: string): FieldSource {
  const name = nameIn(members, field)
  return name === undefined ? { value: undefined } : { path: `${path}.${name}`, or: undefined, before: undefined }
}

/** The later part of a merge, over those before it. */
function over(before: FieldSource, later: FieldSource): FieldSource {
  if ('value' in later) return later.value === undefined ? before : later
  return { ...later, before }
}

function memberOf(value: Json, field: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? memberNamed(value as Readonly<Record<string, Json>>, field)
    : undefined
}

/** The paths that decide how the shipments of a step start. */
export function pathsOfBooking(flow: FlowDeclaration, step: BookStep): string[] {
  const { existing, keepBooked, flags } = fieldsOfBooking(flow, step)
  return [existing, keepBooked, ...flags.values()].flatMap(pathsOfSource)
}

function pathsOfSource(source: FieldSource): string[] {
  return 'path' in source ? [source.path, ...(source.before ? pathsOfSource(source.before) : [])] : []
}

/**
 * The shipment of a role. A booking that issues the shipment of an earlier booking has none of its own: both roles have
 * the uid of the earlier one.
 * @param prior the uid of the earlier one
 */
export function uidOf(name: string, { existing }: Role, prior: string | undefined): string {
  return existing && prior !== undefined ? prior : name
}

/** By role, every uid that it has on some path. */
export function uidsOf(flow: FlowDeclaration): ReadonlyMap<string, ReadonlySet<string>> {
  const uids = new Map<string, Set<string>>()
  for (const step of allSteps(flow.steps).filter(isBook)) {
    const { existing } = fieldsOfBooking(flow, step)
    const priors = 'path' in existing ? (uids.get(headOf(existing.path)) ?? []) : []
    for (const [name, role] of rolesOfStep(step)) {
      uids.set(name, new Set([undefined, ...priors].map(prior => uidOf(name, role, prior))))
    }
  }
  return uids
}
