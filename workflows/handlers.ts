import { CancellationScope, condition, setHandler } from '@temporalio/workflow'
import type { BookedQuestion, CancelOrder, Decision, ReceiverOrder } from '#contract/terms'
import { assign, refuseReceiver } from './assigning.ts'
import { decide, refuseDecision } from './deciding.ts'
import { flowFailure } from './failures.ts'
import { hear } from './hearing.ts'
import * as messages from './messages.ts'
import { orderRelease, refuseRelease } from './releasing.ts'
import { courseOf, orderCancel, type Run, refuseEnded, shown, statusOf } from './run.ts'

/** The server takes ten updates at a time; whoever waits for a booking must not shut out who wants to cancel it. */
const mostWaiting = 5

/** Sets every handler. Called before the first await: messages can arrive with the start. */
export function receive(run: Run): void {
  setHandler(messages.status, () => statusOf(run), { description: 'Where the flow is now.' })
  setHandler(messages.shipmentStatus, told => hear(run, told), { description: 'A verified callback of the service.' })
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

async function answerBooked(run: Run, question: BookedQuestion | undefined) {
  run.waiting++
  await until(() => run.booking !== 'open')
  run.waiting--
  if (typeof run.booking === 'object') throw run.booking.failure
  // The validator let a question pass that came before the plan knew the request.
  refuseOtherCase(run, question)
  const { plan, shipments } = courseOf(run)
  return { flow: plan.flow, caseNo: plan.caseNo, shipments: shown(shipments) }
}

function refuseQuestion(run: Run, question: BookedQuestion | undefined): void {
  refuseOtherCase(run, question)
  if (run.booking === 'open' && run.waiting >= mostWaiting) {
    throw flowFailure('BookingPending', 'Others wait for this booking already; ask again.')
  }
}

function refuseOtherCase(run: Run, question: BookedQuestion | undefined): void {
  if (question === undefined || question === null) return
  const { flow, fingerprint } = question
  const known = run.course?.plan.fingerprint
  if (flow === run.flow && (known === undefined || fingerprint === known)) return
  const difference = flow === run.flow ? 'another request' : `the flow ${run.flow}`
  throw flowFailure('CaseInUse', `The case number is in use by ${difference}.`)
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
  await until(() => run.over)
  return { outcome: run.result?.outcome ?? ('failed' as const), leftOver: run.leftOver }
}

async function assignNow(run: Run, order: ReceiverOrder) {
  await CancellationScope.nonCancellable(() => assign(run, order))
  return statusOf(run)
}

function decideNow(run: Run, decision: Decision) {
  decide(run, decision)
  return statusOf(run)
}

/** Waits in a handler: the Web UI's cancel button must not tear an answer away. */
function until(done: () => boolean): Promise<void> {
  return CancellationScope.nonCancellable(() => condition(done))
}
