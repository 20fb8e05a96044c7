import { isRecord } from '#contract/terms'
import {
  existingShipment,
  findRoles,
  isMerge,
  isQuoted,
  isReference,
  type PlannedRole,
  type Role,
  type Source,
} from '#flows'
import type { BookStep } from '#flows/declaration'

/** The roles of a book step, with the names of the flow. A role has a link to the existing shipment if the request names one. */
export function planRoles({ book, as = {} }: Pick<BookStep, 'book' | 'as'>, request: Source): PlannedRole[] {
  const rename = (role: string) => as[role] ?? role
  const isThere = (to: string) => to !== existingShipment || namesExisting(request)
  return Object.entries<Role>(findRoles(book) ?? {}).map(([role, { initialState, existing, link }]) => ({
    name: rename(role),
    initialState,
    existing: existing ?? false,
    link: link && isThere(link.to) ? { by: link.by, to: rename(link.to) } : null,
  }))
}

/**
 * The sources of a field of a request, as far as they are known: several for a merge, the last part first. A reference to
 * an object may have the field.
 */
export function sourcesOf(request: unknown, field: string): readonly unknown[] {
  if (!isRecord(request)) return []
  if (isQuoted(request)) return sourcesOf(request.value, field)
  if (isReference(request)) return [{ from: `${request.from}.${field}` }]
  if (isMerge(request)) return untilCertain(request.merge.toReversed().flatMap(part => sourcesOf(part, field)))
  return Object.hasOwn(request, field) ? [request[field]] : []
}

/** A value that is certainly there hides those before it. */
function untilCertain(sources: readonly unknown[]): readonly unknown[] {
  const certain = sources.findIndex(source => !isRecord(source))
  return certain < 0 ? sources : sources.slice(0, certain + 1)
}

/** The fields of requests that name an existing shipment. */
const priorFields = ['PriorShipmentUid', 'SwapsShipmentUid'] as const

function namesExisting(request: Source): boolean {
  const isNamed = priorFields.some(field => sourcesOf(request, field).some(source => typeof source === 'string'))
  return isNamed || findPriorPath(request) !== undefined
}

/** The path of the existing shipment that a request names: often a role of an earlier booking. */
export function findPriorPath(request: Source): string | undefined {
  // The field itself comes after references to objects that may have it.
  return priorFields
    .flatMap(field => sourcesOf(request, field).toReversed())
    .flatMap(source => (isRecord(source) && 'from' in source ? [String(source.from)] : []))
    .at(0)
}
