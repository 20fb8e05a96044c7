import { CancellationScope, setHandler } from '@temporalio/workflow'
import {
  type BookedQuestion,
  type CancelOrder,
  canonicalJson,
  type Decision,
  type ReceiverOrder,
  type ShipmentStatus,
} from '#contract/terms'
import { assign, refuseReceiver } from './assigning.ts'
import { noteHeard } from './carryingOn.ts'
import { decide, refuseDecision } from './deciding.ts'
import { flowFailure } from './failures.ts'
import { hear } from './hearing.ts'
import * as messages from './messages.ts'
import { orderRelease, refuseRelease } from './releasing.ts'
import { courseOf, leftOverOf, orderCancel, type Run, refuseEnded, shown, statusOf } from './run.ts'

/** The server takes ten updates at a time; whoever waits for a booking must not shut out who wants to cancel it. */
const mostWaiting = 5

/** Sets every handler. Called before the first await: messages can arrive with the start. */
export function receive(run: Run): void {
  setHandler(messages.status, () => statusOf(run), { description: 'Where the flow is now.' })
  setHandler(messages.shipmentStatus, told => takeIn(run, told), { description: 'A verified callback of the service.' })
  setHandler(messages.booked, (question?: BookedQuestion) => answerBooked(run, question), {
    validator: (question?: BookedQuestion) => refuseQuestion(run, question),
    description: 'Waits for the booking: its shipments, or the failure that the flow fails with.',
  })
  setHandler(messages.cancel, (_order: CancelOrder) => cancelAndClean(run), {
    validator: (_order: CancelOrder) => refuseEnded(run),
    description: 'Ends the flow and cleans up.',
  })
  setHandler(messages.decide, (decision: Decision) => decideNow(run, decision), {
    validator: (decision: Decision) => refuseDecision(run, decision),
    description: 'A decision about a window that has passed: extend, cancel or keepWaiting.',
  })
  setHandler(messages.assignReceiver, (order: ReceiverOrder) => assignNow(run, order), {
    validator: (order: ReceiverOrder) => refuseReceiver(run, order),
    description: 'Names who collects the shipment.',
  })
  setHandler(messages.release, () => releaseAndEnd(run), {
    validator: () => refuseRelease(run),
    description: 'Ends a booking that is kept.',
  })
}

function takeIn(run: Run, told: ShipmentStatus): void {
  noteHeard(run)
  hear(run, told)
}

async function answerBooked(run: Run, question: BookedQuestion | undefined) {
  noteHeard(run)
  if (run.booking === 'open') await until(run, 'booking')
  if (typeof run.booking === 'object') throw run.booking.failure
  // The validator let a question pass that came before the plan knew the request.
  refuseOtherCase(run, question)
  const { plan, shipments } = courseOf(run)
  return { flow: plan.flow, caseNo: plan.caseNo, shipments: shown(shipments) }
}

function refuseQuestion(run: Run, question: BookedQuestion | undefined): void {
  refuseOtherCase(run, question)
  if (run.booking === 'open' && run.awaiting.booking.length >= mostWaiting) {
    throw flowFailure('BookingPending', 'Others wait for this booking already; ask again.')
  }
}

/** What the question leaves out, or says with null, is not asked. */
function refuseOtherCase(run: Run, question: BookedQuestion | null | undefined): void {
  const { flow, fingerprint, request } = question ?? {}
  const known = run.course?.plan.fingerprint
  const otherPrint = typeof fingerprint === 'string' && known !== undefined && fingerprint !== known
  const otherRequest = isObject(request) && canonicalJson(request) !== canonicalJson(run.input?.request)
  const otherFlow = typeof flow === 'string' && flow !== run.flow
  if (!otherFlow && !otherPrint && !otherRequest) return
  const difference = otherFlow ? `the flow ${run.flow}` : 'another request'
  throw flowFailure('CaseInUse', `The case number is in use by ${difference}.`)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

async function cancelAndClean(run: Run) {
  orderCancel(run)
  return ending(run)
}

async function releaseAndEnd(run: Run) {
  orderRelease(run)
  return ending(run)
}

async function ending(run: Run) {
  if (!run.over) await until(run, 'end')
  return { outcome: run.result?.outcome ?? ('failed' as const), leftOver: leftOverOf(run) }
}

async function assignNow(run: Run, order: ReceiverOrder) {
  await CancellationScope.nonCancellable(() => assign(run, order))
  return statusOf(run)
}

function decideNow(run: Run, decision: Decision) {
  decide(run, decision)
  return statusOf(run)
}

/** Waits in a handler, and not by a condition: the Web UI's cancel button must not tear an answer away. */
function until(run: Run, what: keyof Run['awaiting']): Promise<void> {
  return new Promise(resolve => run.awaiting[what].push(resolve))
}
