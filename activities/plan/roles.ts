import { existingShipment, findRoles, type PlannedRole, type Role, type Source, toExistingShipmentUid } from '#flows'
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

/** The fields of a request, as far as they are known. */
export function fieldsOf(request: Source): Readonly<Record<string, unknown>> {
  const fields = typeof request === 'object' && request !== null && 'value' in request ? request.value : request
  return typeof fields === 'object' && fields !== null ? (fields as Readonly<Record<string, unknown>>) : {}
}

/** The fields of requests that name an existing shipment. */
const priorFields = ['PriorShipmentUid', 'SwapsShipmentUid'] as const

function namesExisting(request: Source): boolean {
  const fields = fieldsOf(request)
  return toExistingShipmentUid({ request: fields }) !== '' || findPriorPath(request) !== undefined
}

/** The path of the existing shipment that a request names: often a role of an earlier booking. */
export function findPriorPath(request: Source): string | undefined {
  const fields = fieldsOf(request)
  return priorFields
    .map(name => fields[name])
    .flatMap(source => (source !== null && typeof source === 'object' && 'from' in source ? [String(source.from)] : []))
    .at(0)
}
