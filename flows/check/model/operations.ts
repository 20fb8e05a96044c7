import { type Operation, operations } from '#contract'
import { findRoles, type Role } from '#flows'
import type { BookStep, CallStep } from '#flows/declaration'

const all: Readonly<Record<string, Operation>> = operations

/** Operations that book: they return shipments and take none that exists. CreateCollectOnlyShipment is one, without roles. */
function isBooking({ effect, request, response }: Operation): boolean {
  if (effect !== 'create' || 'shipmentUid' in request.shape) return false
  return 'shipmentUid' in response.shape || 'shipmentUids' in response.shape
}

/** An upload needs a file, which no source can give. */
export const callable = Object.values(all)
  .filter(operation => !isBooking(operation) && operation.upload !== true)
  .map(({ name }) => name)

export function findOperation(name: string): Operation | undefined {
  return Object.hasOwn(all, name) ? all[name] : undefined
}

/** The operation of a step; undefined for one that the step must not use. */
export function operationOf(step: BookStep | CallStep): Operation | undefined {
  if ('book' in step) return findRoles(step.book) && findOperation(step.book)
  return callable.includes(step.call) ? findOperation(step.call) : undefined
}

/** The roles of a booking by their names in the flow, in the order of the response. */
export function rolesOfStep({ book, as = {} }: BookStep): readonly (readonly [name: string, role: Role])[] {
  const roles = findRoles(book) ?? {}
  const rename = (role: string) => (Object.hasOwn(as, role) ? (as[role] ?? role) : role)
  return Object.entries(roles).map(([role, { link, ...rest }]) => [
    rename(role),
    { ...rest, ...(link && { link: { ...link, to: Object.hasOwn(roles, link.to) ? rename(link.to) : link.to } }) },
  ])
}
