import type { PlannedBook } from '#flows'
import type { ShipmentProgress, Shipments } from '../progress.ts'
import { keysFrom, toEffectKey, toValueKey } from '../scopes.ts'

/** A book step in a scope: its name and its roles are keys, as everything has them that is told apart by them. */
export type BookIn = PlannedBook & { readonly scope?: string }

export function bookIn(step: PlannedBook, scope: string): BookIn {
  if (scope === '') return step
  const roles = step.roles.map(role => ({
    ...role,
    name: toValueKey(scope, role.name),
    link: role.link && { ...role.link, to: toValueKey(scope, role.link.to) },
  }))
  return { ...step, name: toEffectKey(scope, step.name), roles, scope }
}

/** The shipment of a role as a scope reads it; undefined before its booking. */
export function findShipment(
  { shipments }: Pick<Shipments, 'shipments'>,
  scope: string,
  role: string,
): ShipmentProgress | undefined {
  for (const key of keysFrom(scope, role)) {
    const held = shipments.find(each => each.role === key)
    if (held !== undefined) return held
  }
  return undefined
}
