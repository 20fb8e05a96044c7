import { CancellationScope, condition, setHandler } from '@temporalio/workflow'
import { type BookedQuestion, type CancelOrder, type Decision, milliseconds } from '#contract/terms'
import { flowFailure } from './failures.ts'
import { hear } from './hearing.ts'
import * as messages from './messages.ts'
import { courseOf, type Run, shown, statusOf } from './run.ts'

const decisions = ['extend', 'cancel', 'keepWaiting'] as const satisfies Decision['decision'][]

/** Sets every handler. Called before the first await: messages can arrive with the start. */
export function receive(run: Run): void {
  setHandler(messages.status, () => statusOf(run), { description: 'Where the flow is now.' })
  setHandler(messages.shipmentStatus, told => hear(run, told), { description: 'A verified callback of the service.' })
  setHandler(messages.booked, (question?: BookedQuestion) => answerBooked(run, question), {
    validator: (question?: BookedQuestion) => refuseOtherCase(run, question),
    description: 'Waits for the booking: its shipments, or the failure that the flow fails with.',
  })
  setHandler(messages.cancel, (_order: CancelOrder) => cancelAndClean(run), {
    validator: (_order: CancelOrder) => refuseEnded(run),
    description: 'Ends the flow and cleans up.',
  })
  setHandler(messages.decide, decision => decideNow(run, decision), {
    validator: decision => refuseDecision(run, decision),
    description: 'A decision about a window that has passed: extend, cancel or keepWaiting.',
  })
}

/** The cancel update and the Web UI's cancel button set the same word and end the same way. */
export function orderCancel(run: Run): void {
  run.cancelled = true
  run.stirred = true
}

async function answerBooked(run: Run, question: BookedQuestion | undefined) {
  await until(() => run.booking !== 'open')
  if (typeof run.booking === 'object') throw run.booking.failure
  // The validator let a question pass that came before the plan knew the request.
  refuseOtherCase(run, question)
  const { plan, shipments } = courseOf(run)
  return { flow: plan.flow, caseNo: plan.caseNo, shipments: shown(shipments) }
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
  await until(() => run.over)
  return { leftOver: run.leftOver }
}

function decideNow(run: Run, decision: Decision) {
  if (decision.decision === 'cancel') orderCancel(run)
  else run.decision = decision
  run.stirred = true
  return statusOf(run)
}

function refuseDecision(run: Run, decision: Decision): void {
  refuseEnded(run)
  if (!decisions.includes(decision?.decision)) {
    throw flowFailure('InvalidFlowInput', `decision: has to be one of ${decisions.join(', ')}`)
  }
  if (decision.by !== undefined && milliseconds(decision.by) === undefined) {
    throw flowFailure('InvalidFlowInput', 'by: has to be a duration such as "30s", "30m", "48h" or "3d"')
  }
  if (run.state !== 'overdue' || run.decision !== undefined) {
    throw flowFailure('NothingToDecide', 'No window has passed, so there is nothing to decide.')
  }
}

function refuseEnded(run: Run): void {
  if (run.over) throw flowFailure('FlowEnded', 'The flow has ended.')
}

/** Waits in a handler: the Web UI's cancel button must not tear an answer away. */
function until(done: () => boolean): Promise<void> {
  return CancellationScope.nonCancellable(() => condition(done))
}
