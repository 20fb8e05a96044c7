// Baseline with the visibility of a flow: the hand-written workflows with the same search attributes and one timer, and
// without a plan and an interpreter. The entry of its bundle.
import {
  condition,
  proxyActivities,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import type { Booking } from '#activities/interface'
import { searchAttributes } from '#flows'
import { answer, shipmentStatus, waitForBooking } from '#flows/messages'
import {
  type BareActivities,
  type BareBooking,
  type BareInput,
  inspectedBooking,
  issueBooking,
  loanBooking,
  profile,
} from '../bare/bookings.ts'

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
  upsertSearchAttributes(firstAttributes(shipments, request, stages[0]?.[0] ?? ''))
  void sleep('7 days')
  for (const [index, [stage, awaited, stateCode]] of stages.entries()) {
    if (index > 0) upsertSearchAttributes([list('steps', [stage])])
    const uid = shipments.find(shipment => shipment.role === awaited)?.shipmentUid ?? ''
    if (awaited === 'inspect') report = (await inspect({ device: uid })).report
    else if (awaited === 'answer') await condition(() => answered)
    else await condition(() => reported.has(`${uid} ${stateCode}`))
  }
  upsertSearchAttributes([keyword('outcome', 'completed'), flag('leftOver', false)])
  return { flow, caseNo, shipments, ...(report !== undefined && { report }) }
}

type Attributes = Extract<Parameters<typeof upsertSearchAttributes>[0], readonly unknown[]>

function firstAttributes(shipments: Booking, { ToUserUid: user }: BareInput['request'], stage: string): Attributes {
  return [
    keyword('state', 'waiting'),
    list('steps', [stage]),
    keyword('pickUpPoint', shipments[0]?.pupUid ?? null),
    keyword('user', String(user)),
    list(
      'shipments',
      shipments.map(({ shipmentUid }) => shipmentUid),
    ),
    flag('overdue', false),
  ]
}

function keyword(attribute: 'state' | 'pickUpPoint' | 'user' | 'outcome', value: string | null): Attributes[number] {
  return { key: { name: searchAttributes[attribute].name, type: 'KEYWORD' }, value }
}

function list(attribute: 'steps' | 'shipments', value: string[]): Attributes[number] {
  return { key: { name: searchAttributes[attribute].name, type: 'KEYWORD_LIST' }, value }
}

function flag(attribute: 'overdue' | 'leftOver', value: boolean): Attributes[number] {
  return { key: { name: searchAttributes[attribute].name, type: 'BOOL' }, value }
}
