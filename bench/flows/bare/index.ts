// Baseline of the flows: the minimal hand-written workflows that book and wait. The entry of its bundle.
// No plan, windows, polls, clean-up, search attributes or current details. Only the messages are imported from the project.
import { condition, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow'
import type { Booking } from '#activities/interface'
import { answer, shipmentStatus, waitForBooking } from '#flows/messages'
import {
  type BareActivities,
  type BareBooking,
  type BareInput,
  inspectedBooking,
  issueBooking,
  loanBooking,
  profile,
} from './bookings.ts'

const { bookShipments, inspect } = proxyActivities<BareActivities>({
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '1h',
})

export function issue(input: BareInput) {
  return follow(input, issueBooking)
}

export function inspection(input: BareInput) {
  return follow(input, inspectedBooking)
}

export function issueFromStockAndSubsequentIntakeAndCircularStock(input: BareInput) {
  return follow(input, loanBooking)
}

async function follow({ caseNo, request }: BareInput, { operation, roles, stages }: BareBooking) {
  const { workflowType: flow, firstExecutionRunId, startTime } = workflowInfo()
  const reported = new Set<string>()
  let shipments: Booking | undefined
  let answered = false
  let report: string | undefined
  // Set before the first await, because callbacks can arrive before the booking's response.
  setHandler(shipmentStatus, ({ shipmentUid, stateCode }) => void reported.add(`${shipmentUid} ${stateCode}`))
  setHandler(waitForBooking, async () => {
    await condition(() => shipments !== undefined)
    return { flow, caseNo, shipments: shipments ?? [] }
  })
  setHandler(answer, ({ step, answer: given, by }) => {
    answered = true
    return { step, answer: given, fields: {}, by: by ?? null, answeredAt: new Date().toISOString() }
  })
  const idempotencyKey = `${caseNo}:${firstExecutionRunId}:${operation}`
  const input = { operation, request, roles, caseNo, profile, idempotencyKey, since: startTime.toISOString() }
  ;[shipments = []] = await bookShipments(input)
  for (const [, awaited, stateCode] of stages) {
    const uid = shipments.find(shipment => shipment.role === awaited)?.shipmentUid ?? ''
    if (awaited === 'inspect') report = (await inspect({ device: uid })).report
    else if (awaited === 'answer') await condition(() => answered)
    else await condition(() => reported.has(`${uid} ${stateCode}`))
  }
  return { flow, caseNo, shipments, ...(report !== undefined && { report }) }
}
