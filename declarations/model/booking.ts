import type { BookStep, FlowDeclaration, Json, Source } from '#flows/declaration'
import { isBook } from './flow.ts'
import { operationOf, rolesOfStep } from './operations.ts'
import { readSource } from './source.ts'

/** Where a booking takes a field of its request from. */
export type FieldSource =
  | { readonly path: string; readonly or: Json | undefined }
  | { readonly value: Json | undefined }

/** The fields of a request that decide how its shipments start. */
export interface BookingFields {
  /** The uid of the shipment that the booking issues or follows. */
  readonly existing: FieldSource
  readonly keepBooked: FieldSource
  /** By the field that leaves the receiver open. */
  readonly flags: ReadonlyMap<string, FieldSource>
}

export function fieldsOfBooking(step: BookStep): BookingFields {
  const shape = operationOf(step)?.request.shape ?? {}
  const existing = ['PriorShipmentUid', 'SwapsShipmentUid'].find(field => field in shape)
  const flags = rolesOfStep(step).flatMap(([, { withoutReceiver }]) =>
    typeof withoutReceiver === 'string' ? [[withoutReceiver, fieldOf(step.request, withoutReceiver)] as const] : [],
  )
  return {
    existing: existing === undefined ? { value: undefined } : fieldOf(step.request, existing),
    keepBooked: 'KeepBookedAfterPickUp' in shape ? fieldOf(step.request, 'KeepBookedAfterPickUp') : { value: false },
    flags: new Map(flags),
  }
}

/** A field of a request. Without a request it is the field of the input. */
function fieldOf(request: Source | undefined, field: string): FieldSource {
  if (request === undefined) return { path: `input.${field}`, or: undefined }
  const read = readSource(request)
  if (read.kind === 'from') return { path: `${read.path}.${field}`, or: undefined }
  if (read.kind === 'value') return { value: memberOf(read.value, field) }
  if (read.kind === 'merge') {
    const found = read.parts.toReversed().map(part => fieldOf(part, field))
    return found.find(source => !('value' in source) || source.value !== undefined) ?? { value: undefined }
  }
  const below = read.kind === 'object' && Object.hasOwn(read.fields, field) ? read.fields[field] : undefined
  if (below === undefined) return { value: undefined }
  const inner = readSource(below)
  if (inner.kind === 'from') return { path: inner.path, or: inner.or }
  return { value: inner.kind === 'value' ? inner.value : undefined }
}

function memberOf(value: Json, field: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, field)
    ? (value as Readonly<Record<string, Json>>)[field]
    : undefined
}

/** The paths that decide how the shipments of a step start. */
export function pathsOfBooking(step: BookStep): string[] {
  const { existing, keepBooked, flags } = fieldsOfBooking(step)
  return [existing, keepBooked, ...flags.values()].flatMap(source => ('path' in source ? [source.path] : []))
}

/**
 * Shipments by role. A booking that issues the shipment of an earlier booking has no shipment of its own: both roles have
 * the uid of the earlier one.
 */
export function uidsOf(flow: FlowDeclaration): ReadonlyMap<string, string> {
  const uids = new Map<string, string>()
  for (const step of flow.steps.filter(isBook)) {
    const { existing } = fieldsOfBooking(step)
    const prior = 'path' in existing ? uids.get(existing.path.split('.')[0] ?? '') : undefined
    for (const [name, role] of rolesOfStep(step)) uids.set(name, role.existing && prior !== undefined ? prior : name)
  }
  return uids
}
