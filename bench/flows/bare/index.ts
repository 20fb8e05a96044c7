// Baseline of the flows: the minimal hand-written workflows that book and wait. The entry of its bundle.
// No plan, windows, polls, clean-up, search attributes or current details. Only the messages are imported from the project.
import { condition, executeChild, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow'
import type { Booking } from '#activities/interface'
import { answer, shipmentStatus, waitForBooking } from '#flows/messages'
import {
  type BareActivities,
  type BareBooking,
  type BareInput,
  branchBooking,
  branchNames,
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

/** Three branches in one workflow. */
export async function threeBranches({ caseNo, request }: BareInput) {
  const reported = new Set<string>()
  setHandler(shipmentStatus, ({ shipmentUid, stateCode }) => void reported.add(`${shipmentUid} ${stateCode}`))
  return Promise.all(
    branchNames.map(async name => {
      const [shipments = []] = await bookShipments(toOrder({ caseNo, request }, branchBooking, name))
      await condition(() => shipments.every(({ shipmentUid }) => reported.has(`${shipmentUid} Completed`)))
      return shipments
    }),
  )
}

/** Three branches with a child workflow each, which has a case number of its own for its callbacks. */
export function threeChildren({ caseNo, request }: BareInput) {
  const { workflowId } = workflowInfo()
  return Promise.all(
    branchNames.map(name => {
      const own = {
        caseNo: `${caseNo}-${name}`,
        request: { ...request, Details: { ReferenceCaseNo: `${caseNo}-${name}` } },
      }
      return executeChild(branch, { workflowId: `${workflowId}-${name}`, args: [own] })
    }),
  )
}

export function branch(input: BareInput) {
  return follow(input, branchBooking)
}

/** @param step told apart by the idempotency key */
function toOrder({ caseNo, request }: BareInput, { operation, roles }: BareBooking, step: string) {
  const { firstExecutionRunId, startTime } = workflowInfo()
  const idempotencyKey = `${caseNo}:${firstExecutionRunId}:${step}`
  return { operation, request, roles, caseNo, profile, idempotencyKey, since: startTime.toISOString() }
}

async function follow(given: BareInput, booking: BareBooking) {
  const { caseNo } = given
  const { workflowType: flow } = workflowInfo()
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
  ;[shipments = []] = await bookShipments(toOrder(given, booking, booking.operation))
  for (const [, awaited, stateCode] of booking.stages) {
    const uid = shipments.find(shipment => shipment.role === awaited)?.shipmentUid ?? ''
    if (awaited === 'inspect') report = (await inspect({ device: uid })).report
    else if (awaited === 'answer') await condition(() => answered)
    else await condition(() => reported.has(`${uid} ${stateCode}`))
  }
  return { flow, caseNo, shipments, ...(report !== undefined && { report }) }
}
