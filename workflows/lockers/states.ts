import { readStateCode, readTime } from '#contract/terms'
import type { FlowPlan, ShipmentStatus } from '#flows'
import type { LockerState, ShipmentProgress } from '../progress.ts'
import { findShipment } from './roles.ts'

export type Reachability = Pick<FlowPlan, 'reachable'>

/** A reported state in relation to the known one. */
type Comparison = 'same' | 'newer' | 'older' | 'impossible'

/** True if every awaited role has reached its state, or one that can only follow it. */
export function haveReached(
  reached: Readonly<Record<string, string>>,
  { plan, lockers }: { readonly plan: Reachability; readonly lockers: Pick<LockerState, 'shipments'> },
  scope = '',
): boolean {
  return Object.entries(reached).every(([role, awaited]) => {
    const current = readStateCode(findShipment(lockers, scope, role)?.stateCode ?? '')
    if (current === undefined || current === 'Cancelled') return current === awaited
    return current === awaited || canFollow(plan, awaited, current)
  })
}

/**
 * Orders two states by reachability, which has no circles. Times decide only for unknown codes, since clocks of services
 * differ and local times are set back.
 */
export function compareStates(plan: Reachability, held: ShipmentProgress, reported: ShipmentStatus): Comparison {
  const [before, now] = [readStateCode(held.stateCode), readStateCode(reported.stateCode)]
  if ((now ?? reported.stateCode) === held.stateCode) return 'same'
  if (before === undefined || now === undefined) {
    return isLater(held.stateStart, reported.stateStart) ? 'newer' : 'older'
  }
  if (canFollow(plan, before, now)) return 'newer'
  return canFollow(plan, now, before) ? 'older' : 'impossible'
}

function canFollow({ reachable }: Reachability, from: string, to: string): boolean {
  return (reachable[from] ?? []).includes(to)
}

function isLater(before: string, now: string): boolean {
  const [one, other] = [readTime(before), readTime(now)]
  return one === undefined || other === undefined || other >= one
}
