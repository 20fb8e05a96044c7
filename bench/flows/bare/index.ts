// Baseline of the flows: the minimal hand-written workflows that book and wait. The entry of its bundle.
// No plan, windows, polls, clean-up, search attributes or current details. Only the messages are imported from the project.
import { condition, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow'
import type { Booking, FlowActivities } from '#activities/interface'
import { shipmentStatus, waitForBooking } from '#flows/messages'
import { type BareBooking, type BareInput, issueBooking, loanBooking, profile } from './bookings.ts'

const { bookShipments } = proxyActivities<Pick<FlowActivities, 'bookShipments'>>({
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '1h',
})

export function issue(input: BareInput) {
  return follow(input, issueBooking)
}

export function issueFromStockAndSubsequentIntakeAndCircularStock(input: BareInput) {
  return follow(input, loanBooking)
}

async function follow({ caseNo, request }: BareInput, { operation, roles, stages }: BareBooking) {
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
  for (const [, role, stateCode] of stages) {
    const uid = shipments.find(shipment => shipment.role === role)?.shipmentUid
    await condition(() => reported.has(`${uid} ${stateCode}`))
  }
  return { flow, caseNo, shipments }
}
