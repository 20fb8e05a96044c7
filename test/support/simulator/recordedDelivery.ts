import { type Delivered, type Delivery, inOrder } from '../../../testing/simulator/delivery.ts'
import { findRoles, type Handled, type RecordedRun } from './recordedRun.ts'

/** The shipment of callbacks that make a history long, in `growLong`. */
export const foreignUid = 'another'

/** Delivers as in recorded runs: the same events in the same workflow tasks. */
export function deliverAs(runs: readonly RecordedRun[]): Delivery {
  const tasks = runs.flatMap(({ handled }) => handled)
  const roles = new Map<string, string>()
  // The start delivers the first one.
  let next = 1
  return arrived => {
    for (const { arrival } of arrived) if (arrival.kind === 'activity') findRoles(arrival.result, roles)
    // The first task of a new run has no events of its own.
    while (tasks[next]?.length === 0) next++
    const wanted = tasks[next]
    if (wanted === undefined) return inOrder(arrived)
    const indexes: number[] = []
    for (const each of wanted) {
      const index = arrived.findIndex((one, at) => !indexes.includes(at) && isMeant(each, one, roles))
      if (index < 0) return []
      indexes.push(index)
    }
    next++
    return indexes
  }
}

function isMeant(wanted: Handled, { arrival }: Delivered, roles: ReadonlyMap<string, string>): boolean {
  if (arrival.kind !== wanted.kind) return false
  if (arrival.kind === 'signal' && 'stateCode' in wanted) {
    const { shipmentUid, stateCode } = arrival.argument
    if (wanted.uid === foreignUid || shipmentUid === foreignUid) return wanted.uid === shipmentUid
    const isSame =
      wanted.role === undefined || roles.get(shipmentUid) === undefined || roles.get(shipmentUid) === wanted.role
    return stateCode === wanted.stateCode && isSame
  }
  const name = 'name' in arrival ? arrival.name : 'summary' in arrival ? arrival.summary : ''
  return 'name' in wanted && name === wanted.name
}
