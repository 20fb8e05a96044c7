import { proxyActivities } from '@temporalio/workflow'
import type { FlowActivities } from '#activities/interface'
import { type FlowOutcome, type FlowResult, type LeftOver, readStateCode, states } from '#contract/terms'
import { publish } from './board.ts'
import { courseOf, type Run, shown } from './run.ts'

/** Clean-up has no deadline: a locker that nobody frees is lost to everybody. */
const { cancelShipments } = proxyActivities<Pick<FlowActivities, 'cancelShipments'>>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '250ms', maximumInterval: '1m' },
  summary: 'cancel what holds no item',
})

/**
 * Cancels what the flow booked and nobody has put an item into, as far as the stage allows; everything else is
 * left alone and reported as left over.
 */
export async function cleanUp(run: Run): Promise<void> {
  const course = courseOf(run)
  const { plan, stage, shipments } = course
  const allowed = plan.stages[stage]?.cancels ?? []
  const before = plan.roles.filter(({ given }) => given).map(({ name }) => name)
  const active = shipments.filter(({ stateCode }) => !isFinal(stateCode))
  const cleaned = active.filter(({ role }) => allowed.includes(role))
  const leftOver: LeftOver[] = active
    .filter(({ role }) => !allowed.includes(role))
    .map(({ role, shipmentUid, stateCode }) => ({
      shipmentUid,
      why: before.includes(role) ? 'it was in stock before the flow' : whyLeft(stateCode),
    }))
  if (cleaned.length > 0) {
    run.state = 'cleaningUp'
    course.deadline = null
    publish(run)
    for (const { shipmentUid, stateCode, left } of await cancelShipments({
      shipments: cleaned.map(order),
      profile: plan.profile,
    })) {
      const shipment = shipments.find(candidate => candidate.shipmentUid === shipmentUid)
      if (shipment !== undefined) shipment.stateCode = stateCode
      if (left !== null) leftOver.push({ shipmentUid, why: left })
    }
  }
  run.leftOver = leftOver
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
    leftOver: run.leftOver,
    ...Object.fromEntries(handedBack),
  }
}

function order({ shipmentUid, stateCode }: { shipmentUid: string; stateCode: string }) {
  return { shipmentUid, stateCode }
}

function isFinal(stateCode: string): boolean {
  const state = readStateCode(stateCode)
  return state !== undefined && states[state].final
}

function whyLeft(stateCode: string): string {
  const state = readStateCode(stateCode)
  return state !== undefined && states[state].holdsItem
    ? 'there is an item in the locker'
    : 'it is for a person to decide'
}
