import { existingShipment, roleToCancel } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import type { Finding } from '../fault.ts'
import { fieldsOfBooking } from '../model/booking.ts'
import { bookedBy, isBook } from '../model/flow.ts'
import { rolesOfStep } from '../model/operations.ts'
import { headOf } from '../model/source.ts'
import { holdersOf, type PlacedList, type PlacedStep, treeOf } from '../model/tree.ts'

/**
 * Shipments that several branches, or all items of a list, would wait for, cancel or book upon. What one of them does would
 * change what the others can do, so each branch has shipments of its own.
 */
export function sharedFindings(flow: FlowDeclaration): Finding[] {
  const tree = treeOf(flow)
  const partOf = partsOf(flow)
  const home = new Map(tree.flatMap(placed => bookedBy(placed.step).map(role => [role, placed] as const)))
  const isInside = (role: string, list: PlacedList) => {
    const booked = home.get(role)
    return booked !== undefined && listsAround(booked).includes(list)
  }
  const found: Finding[] = []
  const owners = new Map<string, PlacedList>()
  for (const placed of tree) {
    for (const role of touchedBy(flow, placed)) {
      for (const list of listsAround(placed)) {
        const { holder } = list
        if (holder === undefined || isInside(role, list)) continue
        const key = `${holder.index} ${partOf(role)}`
        const isLoop = 'forEach' in holder.step
        const owner = owners.get(key) ?? list
        owners.set(key, owner)
        if (!isLoop && (!('parallel' in holder.step) || owner === list)) continue
        const who = isLoop ? `all items of "${holder.step.name}"` : `several branches of "${holder.step.name}"`
        const text = `must leave ${role} to one of them: ${who} would change it, or a shipment that is linked to it. Wait for it before or after the block.`
        found.push({ at: placed.at, code: 'RoleShared', text })
      }
    }
  }
  return found
}

/** The roles whose shipments a step awaits, cancels or books upon. */
function touchedBy(flow: FlowDeclaration, { step }: PlacedStep): string[] {
  if ('wait' in step) return Object.keys(step.wait)
  if ('call' in step) {
    const role = roleToCancel(step.call, step.request)
    return role === undefined ? [] : [role]
  }
  if (!isBook(step)) return []
  const { existing } = fieldsOfBooking(flow, step)
  return 'path' in existing && headOf(existing.path) !== 'input' ? [headOf(existing.path)] : []
}

/** The lists around a step, the innermost first. */
function listsAround(placed: PlacedStep): PlacedList[] {
  return [placed, ...holdersOf(placed)].map(({ list }) => list)
}

/** Roles that are linked, over any number of links, have one name here. */
function partsOf(flow: FlowDeclaration): (role: string) => string {
  const parent = new Map<string, string>()
  const find = (role: string): string => {
    const above = parent.get(role)
    return above === undefined || above === role ? role : find(above)
  }
  for (const { step } of treeOf(flow)) {
    if (!isBook(step)) continue
    const [prior] = touchedBy(flow, { step } as PlacedStep)
    for (const [role, { link }] of rolesOfStep(step)) {
      const to = link?.to === existingShipment ? prior : link?.to
      if (to !== undefined) parent.set(find(role), find(to))
    }
  }
  return find
}
