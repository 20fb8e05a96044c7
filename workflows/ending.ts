import { type ActivityOptions, proxyActivities } from '@temporalio/workflow'
import type { FlowActivities } from '#activities/interface'
import { type FlowOutcome, type FlowResult, type LeftOver, readStateCode, states } from '#contract/terms'
import { publish } from './board.ts'
import { codeOf, isActivityError } from './failures.ts'
import { lookAround } from './looking.ts'
import { courseOf, type HeldShipment, leftOverOf, orderedBy, type Run, shown } from './run.ts'

const inside = 'there is an item in the locker'
const before = 'it was in stock before the flow'
const forPeople = 'it is for a person to decide'

/** Clean-up has no deadline: a locker that nobody frees is lost to everybody. */
const endless: ActivityOptions = {
  startToCloseTimeout: '30s',
  retry: { initialInterval: '250ms', maximumInterval: '1m' },
}

const { cancelShipments } = proxyActivities<Pick<FlowActivities, 'cancelShipments'>>({
  ...endless,
  summary: 'cancel what holds no item',
})

const { release } = proxyActivities<Pick<FlowActivities, 'release'>>({
  ...endless,
  summary: 'cancel the booking that was kept',
})

/**
 * Cancels what the flow booked and nobody has put an item into, as far as the stage allows; everything else is
 * left alone and reported as left over. Never fails: what cannot be cleaned up is left over, with the reason.
 */
export async function cleanUp(run: Run): Promise<void> {
  const { plan, shipments } = courseOf(run)
  if (shipments.every(isEnded)) return
  run.state = 'cleaningUp'
  courseOf(run).deadline = null
  publish(run)
  if (plan.profile.reads) await lookAround(run, { patiently: false })
  const leftBehind = await cancelAllowed(run)
  run.leftOver = shipments
    .filter(shipment => !isEnded(shipment))
    .map(shipment => ({ shipmentUid: shipment.shipmentUid, why: whyLeft(run, shipment, leftBehind) }))
}

/** Ends the booking that was kept; never fails. What the service refuses to cancel is left over, with the reason. */
export async function freeReleased(run: Run): Promise<void> {
  const { plan } = courseOf(run)
  const kept = orderedBy(run, 'release')?.shipment
  if (kept === undefined || isEnded(kept)) return
  run.state = 'cleaningUp'
  publish(run)
  const { shipmentUid, stateCode } = kept
  try {
    const freed = await release({ shipmentUid, stateCode, profile: plan.profile })
    kept.stateCode = freed.stateCode
    run.leftOver = freed.left === null ? [] : [{ shipmentUid, why: freed.left }]
  } catch (error) {
    if (!isActivityError(error)) throw error
    run.leftOver = [{ shipmentUid, why: `it could not be cancelled: ${codeOf(error)}` }]
  }
}

/** Cancels what this stage allows; answers why any of it could not be. */
async function cancelAllowed(run: Run): Promise<LeftOver[]> {
  const { plan, stage, shipments } = courseOf(run)
  const allowed = plan.stages[stage]?.cancels ?? []
  const wanted = shipments.filter(shipment => allowed.includes(shipment.role) && !isEnded(shipment))
  if (wanted.length === 0) return []
  const order = wanted.map(({ shipmentUid, stateCode }) => ({ shipmentUid, stateCode }))
  try {
    const cleaned = await cancelShipments({ shipments: order, profile: plan.profile })
    for (const { shipmentUid, stateCode } of cleaned) {
      const shipment = shipments.find(candidate => candidate.shipmentUid === shipmentUid)
      if (shipment !== undefined) shipment.stateCode = stateCode
    }
    return cleaned.flatMap(({ shipmentUid, left }) => (left === null ? [] : [{ shipmentUid, why: left }]))
  } catch (error) {
    if (!isActivityError(error)) throw error
    return wanted.map(({ shipmentUid }) => ({ shipmentUid, why: `it could not be cancelled: ${codeOf(error)}` }))
  }
}

/** What the finished flow hands back. */
export function resultOf(run: Run, outcome: FlowOutcome): FlowResult {
  const { plan, shipments } = courseOf(run)
  const handedBack = Object.entries(plan.handsBack).map(([name, role]) => [
    name,
    outcome === 'completed' ? (shipments.find(shipment => shipment.role === role)?.shipmentUid ?? null) : null,
  ])
  return {
    flow: plan.flow,
    caseNo: plan.caseNo,
    outcome,
    shipments: shown(shipments),
    leftOver: leftOverOf(run),
    ...Object.fromEntries(handedBack),
  }
}

function isEnded({ stateCode }: HeldShipment): boolean {
  const state = readStateCode(stateCode)
  return state !== undefined && states[state].final
}

function whyLeft(run: Run, { role, shipmentUid, stateCode }: HeldShipment, leftBehind: readonly LeftOver[]): string {
  const given = courseOf(run).plan.roles.some(({ name, given }) => given && name === role)
  if (given) return before
  const state = readStateCode(stateCode)
  const holdsItem = state !== undefined && states[state].holdsItem
  return leftBehind.find(left => left.shipmentUid === shipmentUid)?.why ?? (holdsItem ? inside : forPeople)
}
