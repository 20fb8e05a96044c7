import { existingShipment } from '#flows'
import type { Step } from '#flows/declaration'
import { bookedBy } from '../../model/flow.ts'
import type { Node } from './node.ts'
import { type Parts, uidsIn } from './parts.ts'

/** The situation without the shipments that steps have booked. */
export function withoutBookings(node: Node, steps: readonly Step[], shipments: Parts): Node {
  const booked = new Set(steps.flatMap(bookedBy))
  if (booked.size === 0) return node
  const keep = (map: ReadonlyMap<string, string>) => new Map([...map].filter(([role]) => !booked.has(role)))
  const roles = keep(node.roles)
  const uids = new Set(roles.values())
  const foreign = steps.map(({ name }) => foreignUid(name))
  const gone = new Set([...booked, ...foreign].filter(uid => !uids.has(uid)))
  const parts = node.parts.flatMap(part => {
    const left = uidsIn(part).filter(uid => !gone.has(uid))
    if (left.length === uidsIn(part).length) return [part]
    return left.length === 0 ? [] : [shipments.of(part.groups.map(group => group.filter(({ uid }) => !gone.has(uid))))]
  })
  const freed = new Set([...node.freed].filter(uid => !gone.has(uid)))
  return { ...node, parts, roles, freed, known: keep(node.known) }
}

/** The uid of a shipment from outside that a step follows. */
export function foreignUid(step: string): string {
  return `${existingShipment} of ${step}`
}
