import { canonicalJson, describeDifference } from '#contract/terms'
import type { BookingResult, WaitForBookingUpdate } from '#flows'
import { type FlowContext, requirePlanned } from '../context.ts'
import { noteRecordedEvent } from '../continueAsNew.ts'
import { flowFailure } from '../failures.ts'
import { toFlowShipments } from '../status.ts'

/** Ten in-flight updates are the server's limit; cap waiters so that `cancel` gets through. */
const maxWaiting = 5

const known: readonly string[] = ['flow', 'fingerprint', 'request'] satisfies (keyof WaitForBookingUpdate)[]

/** Rejects callers that started another flow or sent another request, and callers beyond the cap. */
export function validate(flow: FlowContext, update: WaitForBookingUpdate | undefined): void {
  rejectOtherForm(update)
  rejectOtherCase(flow, update)
  if (flow.booking === 'open' && flow.waiters.booking.length >= maxWaiting) {
    throw flowFailure('BookingPending', 'Other callers wait for this booking already. Try again later.')
  }
}

/** Fails with the failure of the flow. */
export async function handle(flow: FlowContext, update: WaitForBookingUpdate | undefined): Promise<BookingResult> {
  noteRecordedEvent(flow)
  // A condition would be cancelled by the Web UI's cancel button, and with it the response.
  if (flow.booking === 'open') await new Promise<void>(resolve => flow.waiters.booking.push(resolve))
  if (typeof flow.booking === 'object') throw flow.booking.failure
  // The validator cannot check an update that arrived before the plan.
  rejectOtherCase(flow, update)
  const { plan, lockers } = requirePlanned(flow).progress
  return { flow: plan.flow, caseNo: plan.caseNo, shipments: toFlowShipments(lockers.shipments) }
}

/**
 * A field in another spelling would not be compared, and the caller would get the booking of another flow. A validator does
 * not run in a replay, so histories with such an argument still replay.
 */
function rejectOtherForm(update: WaitForBookingUpdate | null | undefined): void {
  if (update === undefined || update === null) return
  if (!isObject(update) || Array.isArray(update)) throw otherForm('the argument: must be an object, or missing.')
  const others = Object.keys(update).filter(name => !known.includes(name))
  if (others.length > 0) {
    throw otherForm(
      `the argument: must only have the fields ${known.join(', ')}, got ${others.join(', ').slice(0, 200)}.`,
    )
  }
  for (const name of ['flow', 'fingerprint'] as const) {
    if (typeof (update[name] ?? '') !== 'string') throw otherForm(`${name}: must be a text, or missing.`)
  }
  if (!isObject(update.request ?? {})) throw otherForm('request: must be an object, or missing.')
}

function otherForm(message: string): Error {
  return flowFailure('InvalidFlowInput', message)
}

/** Fields that are missing or null are not compared. */
function rejectOtherCase(flow: FlowContext, update: WaitForBookingUpdate | null | undefined): void {
  const { flow: name, fingerprint, request } = update ?? {}
  const planned = flow.progress?.plan.fingerprint
  const otherPrint = typeof fingerprint === 'string' && planned !== undefined && fingerprint !== planned
  const otherRequest = isObject(request) && canonicalJson(request) !== canonicalJson(flow.input?.request)
  const otherFlow = typeof name === 'string' && name !== flow.name
  if (!otherFlow && !otherPrint && !otherRequest) return
  const difference = otherFlow
    ? `the flow ${flow.name}`
    : `another request${otherRequest ? `: ${describeDifference(flow.input?.request, request)}` : ''}`
  throw flowFailure('CaseInUse', `The case number is in use by ${difference}.`)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
