// Baseline of the flows: the minimal hand-written workflows that book and wait. The entry of its bundle.
// No plan, windows, polls, clean-up, search attributes or current details. Only the messages are imported from the project.
import { condition, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow'
import type { Booking, FlowActivities } from '#activities/interface'
import type { PlannedRole } from '#flows'
import { shipmentStatus, waitForBooking } from '#flows/messages'

/** The input of the hand-written workflows. The request is complete, including the case number. */
export interface BareInput {
  caseNo: string
  request: Record<string, unknown>
}

/** A role, and the state of its shipment that the workflow waits for. */
type Awaited = readonly [role: string, stateCode: string]

const profile = { reads: true, readsByCase: true, idempotent: true, standardWebhooks: true }

const { bookShipments } = proxyActivities<Pick<FlowActivities, 'bookShipments'>>({
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '1h',
})

export function issue(input: BareInput) {
  const roles = [{ name: 'issue', initialState: 'ReadyForDropOff', existing: false, link: null }]
  return follow(input, 'CreateLocalShipmentAsIssue', roles, [
    ['issue', 'ReadyForPickup'],
    ['issue', 'Completed'],
  ])
}

export function issueFromStockAndSubsequentIntakeAndCircularStock(input: BareInput) {
  const roles: PlannedRole[] = [
    { name: 'issue', initialState: 'ReadyForPickup', existing: true, link: null },
    { name: 'intake', initialState: 'WaitForPriorShipment', existing: false, link: { by: 'subsequent', to: 'issue' } },
    { name: 'stock', initialState: 'WaitForPriorShipment', existing: false, link: { by: 'circular', to: 'intake' } },
  ]
  return follow(input, 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock', roles, [
    ['issue', 'Completed'],
    ['intake', 'Completed'],
    ['stock', 'ReadyForPickup'],
  ])
}

async function follow(
  { caseNo, request }: BareInput,
  operation: string,
  roles: PlannedRole[],
  stages: readonly Awaited[],
) {
  const { workflowType: flow, firstExecutionRunId, startTime } = workflowInfo()
  const reported = new Set<string>()
  let shipments: Booking | undefined
  // Set before the first await, because callbacks can arrive before the booking's response.
  setHandler(shipmentStatus, ({ shipmentUid, stateCode }) => void reported.add(`${shipmentUid} ${stateCode}`))
  setHandler(waitForBooking, async () => {
    await condition(() => shipments !== undefined)
    return { flow, caseNo, shipments: shipments ?? [] }
  })
  const idempotencyKey = `${caseNo}:${firstExecutionRunId}:${operation}`
  const input = { operation, request, roles, caseNo, profile, idempotencyKey, since: startTime.toISOString() }
  ;[shipments = []] = await bookShipments(input)
  for (const [role, stateCode] of stages) {
    const uid = shipments.find(shipment => shipment.role === role)?.shipmentUid
    await condition(() => reported.has(`${uid} ${stateCode}`))
  }
  return { flow, caseNo, shipments }
}
