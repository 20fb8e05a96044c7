// The least that books and waits, written by hand for two flows: what ours are measured against. The entry of its bundle.
// No plan, no windows, no looks, no clean-up, no search attributes, no board; nothing of ours is loaded but the messages.
import { condition, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow'
import type { BookedSet, FlowActivities, PlannedRole } from '#activities/interface'
import { booked, shipmentStatus } from '#workflows/messages'
import type { BareInput } from './input.ts'

/** A shipment by its role, and the state that is waited for. */
type Awaited = readonly [role: string, stateCode: string]

const profile = { reads: true, readsByCase: true, idempotent: true, standardWebhooks: true }

const { book } = proxyActivities<Pick<FlowActivities, 'book'>>({
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '1h',
})

export function issue(input: BareInput) {
  const roles = [{ name: 'issue', first: 'ReadyForDropOff', given: false, link: null }]
  return follow(input, 'CreateLocalShipmentAsIssue', roles, [
    ['issue', 'ReadyForPickup'],
    ['issue', 'Completed'],
  ])
}

export function issueFromStockAndSubsequentIntakeAndCircularStock(input: BareInput) {
  const roles: PlannedRole[] = [
    { name: 'issue', first: 'ReadyForPickup', given: true, link: null },
    { name: 'intake', first: 'WaitForPriorShipment', given: false, link: { by: 'follows', to: 'issue' } },
    { name: 'stock', first: 'WaitForPriorShipment', given: false, link: { by: 'circles', to: 'intake' } },
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
  const told = new Set<string>()
  let shipments: BookedSet | undefined
  // Before the first await: callbacks can come before the booking's answer.
  setHandler(shipmentStatus, ({ shipmentUid, stateCode }) => void told.add(`${shipmentUid} ${stateCode}`))
  setHandler(booked, async () => {
    await condition(() => shipments !== undefined)
    return { flow, caseNo, shipments: shipments ?? [] }
  })
  const idempotencyKey = `${caseNo}:${firstExecutionRunId}:${operation}`
  const order = { operation, request, roles, caseNo, profile, idempotencyKey, since: startTime.toISOString() }
  ;[shipments = []] = await book(order)
  for (const [role, stateCode] of stages) {
    const uid = shipments.find(shipment => shipment.role === role)?.shipmentUid
    await condition(() => told.has(`${uid} ${stateCode}`))
  }
  return { flow, caseNo, shipments }
}
