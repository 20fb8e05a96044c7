import type { Plan, SeenShipment } from '#activities/interface'
import { readStateCode, type ShipmentStatus } from '#contract/terms'
import { courseOf, type HeldShipment, type Run, refuse, rememberEarly } from './run.ts'
import { momentOf } from './times.ts'

/** How a told state stands to the one that is held. */
type Standing = 'same' | 'newer' | 'older' | 'impossible'

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
  if (held === undefined || typeof status.stateCode !== 'string') return
  const standing = standingOf(plan, held, status)
  if (standing === 'same' || standing === 'older') return
  if (!plan.profile.standardWebhooks && plan.profile.reads) {
    // The weak signature covers neither state nor time, so such a callback is only a hint to look.
    run.lookWanted = true
  } else if (standing === 'newer') {
    take(held, status)
  } else {
    refuse(
      run,
      `${held.role}: a callback said ${known(status.stateCode)}, which cannot follow ${known(held.stateCode)}`,
    )
    run.lookWanted = plan.profile.reads
  }
  run.stirred = true
}

/** Takes in what the service itself answered; that is believed even where it should not be possible. */
export function learn(run: Run, seen: readonly SeenShipment[]): void {
  for (const held of courseOf(run).shipments) {
    const status = seen.find(({ shipmentUid }) => shipmentUid === held.shipmentUid)
    if (status === undefined) refuse(run, `${held.role}: the service does not know the shipment`)
    else learnOne(run, held, status)
  }
}

/** The same of one shipment. */
export function learnOne(run: Run, held: HeldShipment, status: SeenShipment): void {
  const standing = standingOf(courseOf(run).plan, held, status)
  if (standing === 'impossible') {
    refuse(run, `${held.role}: the service says ${known(status.stateCode)} after ${known(held.stateCode)}`)
  }
  if (standing === 'newer' || standing === 'impossible') take(held, status)
  held.lockerName = status.lockerName
}

/** Whether every role of the stage has reached its state, or one that can only lie behind it. */
export function reached({ plan, stage, shipments }: { plan: Plan; stage: number; shipments: HeldShipment[] }): boolean {
  const wanted = Object.entries(plan.stages[stage]?.reached ?? {})
  return wanted.every(([role, awaited]) => {
    const held = readStateCode(shipments.find(shipment => shipment.role === role)?.stateCode ?? '')
    if (held === undefined || held === 'Cancelled') return held === awaited
    return held === awaited || follows(plan, awaited, held)
  })
}

/**
 * Which state can follow which is itself the order of states: it has no circles. Times decide only where a code is
 * unknown to us, since clocks of services differ and local times are set back.
 */
function standingOf(plan: Plan, held: HeldShipment, told: ShipmentStatus): Standing {
  const [before, now] = [readStateCode(held.stateCode), readStateCode(told.stateCode)]
  if ((now ?? told.stateCode) === held.stateCode) return 'same'
  if (before === undefined || now === undefined) return isLater(held.stateStart, told.stateStart) ? 'newer' : 'older'
  if (follows(plan, before, now)) return 'newer'
  return follows(plan, now, before) ? 'older' : 'impossible'
}

function follows({ reachable }: Plan, from: string, to: string): boolean {
  return (reachable[from] ?? []).includes(to)
}

function take(held: HeldShipment, { stateCode, stateStart, pupUid }: ShipmentStatus): void {
  held.stateCode = readStateCode(stateCode) ?? stateCode
  held.stateStart = stateStart
  if (typeof pupUid === 'string') held.pupUid = pupUid
}

function isLater(before: string, now: string): boolean {
  const [one, other] = [momentOf(before), momentOf(now)]
  return one === undefined || other === undefined || other >= one
}

/** A state for the log: what is no state of ours is somebody else's text. */
function known(stateCode: string): string {
  return readStateCode(stateCode) ?? 'an unknown state'
}
