import type { Plan, SeenShipment } from '#activities/interface'
import { readStateCode, type ShipmentStatus, states } from '#contract/terms'
import { courseOf, type HeldShipment, type Run, refuse, rememberEarly } from './run.ts'

/**
 * Takes in a callback. It tells a state and not an event, so it is believed when that state can be reached from
 * the one that is held, over any number of steps; a duplicate or an older one changes nothing, and an impossible
 * one makes the flow ask the service. Nothing that a callback says can fail the flow.
 */
export function hear(run: Run, status: ShipmentStatus): void {
  if (run.booking !== 'booked') {
    rememberEarly(run, status)
    return
  }
  const { plan, shipments } = courseOf(run)
  const held = shipments.find(({ shipmentUid }) => shipmentUid === status?.shipmentUid)
  if (held === undefined || typeof status.stateCode !== 'string' || !isNews(held, status)) return
  if (!plan.profile.standardWebhooks && plan.profile.reads) {
    // The weak signature covers neither state nor time, so such a callback is only a hint to look.
    run.lookWanted = true
  } else if (canFollow(plan, held.stateCode, status.stateCode)) {
    take(held, status)
  } else {
    refuse(run, `${held.role}: a callback said ${status.stateCode}, which cannot follow ${held.stateCode}`)
    run.lookWanted = plan.profile.reads
  }
  run.stirred = true
}

/** Takes in what the service itself answered; that is believed even where it should not be possible. */
export function learn(run: Run, seen: readonly SeenShipment[]): void {
  const { plan, shipments } = courseOf(run)
  for (const status of seen) {
    const held = shipments.find(({ shipmentUid }) => shipmentUid === status.shipmentUid)
    if (held === undefined || !isNews(held, status)) continue
    if (!canFollow(plan, held.stateCode, status.stateCode)) {
      refuse(run, `${held.role}: the service says ${status.stateCode} after ${held.stateCode}, and is believed`)
    }
    take(held, status)
    held.lockerName = status.lockerName
  }
}

/** Whether every role of the stage has reached its state, or one that can only lie behind it. */
export function reached({ plan, stage, shipments }: { plan: Plan; stage: number; shipments: HeldShipment[] }): boolean {
  const wanted = Object.entries(plan.stages[stage]?.reached ?? {})
  return wanted.every(([role, awaited]) => {
    const held = readStateCode(shipments.find(shipment => shipment.role === role)?.stateCode ?? '')
    if (held === undefined || held === 'Cancelled') return held === awaited
    return held === awaited || (plan.reachable[awaited] ?? []).includes(held)
  })
}

function canFollow({ reachable }: Plan, from: string, to: string): boolean {
  const [held, told] = [readStateCode(from), readStateCode(to)]
  // A code that we do not know is kept as it came; what follows it cannot be judged.
  if (held === undefined || told === undefined) return true
  return (reachable[held] ?? []).includes(told)
}

function take(held: HeldShipment, { stateCode, stateStart, pupUid }: ShipmentStatus): void {
  held.stateCode = readStateCode(stateCode) ?? stateCode
  held.stateStart = stateStart
  if (typeof pupUid === 'string') held.pupUid = pupUid
}

/** Newer by the start of the state, then by rank: callbacks can come twice and in any order. */
function isNews(held: HeldShipment, told: ShipmentStatus): boolean {
  const [before, now] = [moment(held.stateStart), moment(told.stateStart)]
  const sameState = (readStateCode(told.stateCode) ?? told.stateCode) === held.stateCode
  if (sameState) return false
  if (before !== undefined && now !== undefined && before !== now) return now > before
  return rank(told.stateCode) >= rank(held.stateCode)
}

/** Milliseconds of a time without offset, in UTC; undefined when it is not one. */
function moment(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const time = Date.parse(/(Z|[+-]\d\d:\d\d)$/i.test(text) ? text : `${text}Z`)
  return Number.isNaN(time) ? undefined : time
}

function rank(stateCode: string): number {
  const known = readStateCode(stateCode)
  return known === undefined ? Number.POSITIVE_INFINITY : states[known].rank
}
