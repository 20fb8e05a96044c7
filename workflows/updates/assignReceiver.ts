import type { AssignReceiverUpdate, FlowStatus } from '#flows'
import * as activities from '../activities.ts'
import { type FlowContext, isCancelled, recordRejection, requirePlanned } from '../context.ts'
import { businessErrorIn, flowFailure, isActivityError, noResponse, toErrorCode } from '../failures.ts'
import { applySnapshot } from '../lockers/shipments.ts'
import { haveReached } from '../lockers/states.ts'
import { toStatus } from '../status.ts'
import { validateNotEnded } from './cancel.ts'
import { findCompletedBy } from './completedBy.ts'

/** Characters of a uid. */
const maxLength = 64

/** Rejects an invalid uid, a flow that does not expect a receiver, and an update that comes too early or too late. */
export function validate(flow: FlowContext, update: AssignReceiverUpdate): void {
  validateNotEnded(flow)
  const { toUserUid } = update ?? {}
  if (typeof toUserUid !== 'string' || toUserUid === '' || toUserUid.length > maxLength) {
    throw flowFailure('InvalidFlowInput', `toUserUid: must be the uid of a user, 1 to ${maxLength} characters.`)
  }
  const objection = objectionTo(flow)
  if (objection !== undefined) throw flowFailure('NoReceiverExpected', objection)
}

/** Fails with the service's code, or with that of the fault after a minute. */
export async function handle(flow: FlowContext, update: AssignReceiverUpdate): Promise<FlowStatus> {
  await flow.runtime.protect(() => assign(flow, update))
  return toStatus(flow)
}

function objectionTo(flow: FlowContext): string | undefined {
  const completed = findCompletedBy(flow, 'assignReceiver')
  if (completed === undefined) {
    return hasPassed(flow) ? 'The shipment has its receiver already.' : 'This flow does not expect a receiver.'
  }
  if (completed.shipment === undefined) return 'The flow is not booked yet.'
  if (isCancelled(flow)) return 'The flow is being cancelled.'
  const { progress } = requirePlanned(flow)
  if (progress.ending !== undefined) return 'The flow is being ended.'
  const hasReceiver = haveReached(completed.step.reached, progress)
  return hasReceiver ? 'The shipment has its receiver already.' : undefined
}

/** True if the step that waited for a receiver is over. */
function hasPassed({ progress }: FlowContext): boolean {
  const steps = progress?.plan.steps ?? []
  return steps.some(step => step.kind === 'wait' && step.completedBy?.update === 'assignReceiver')
}

async function assign(flow: FlowContext, { toUserUid }: AssignReceiverUpdate): Promise<void> {
  const { plan } = requirePlanned(flow).progress
  const held = findCompletedBy(flow, 'assignReceiver')?.shipment
  if (held === undefined) throw new Error('The flow has no shipment that expects a receiver.')
  const { shipmentUid, role } = held
  try {
    const snapshot = await activities.assignReceiver(flow.runtime, { shipmentUid, toUserUid, profile: plan.profile })
    // A service that cannot be read sends a callback.
    for (const sentence of snapshot === null ? [] : applySnapshot(plan, held, snapshot)) recordRejection(flow, sentence)
  } catch (error) {
    if (!isActivityError(error)) throw error
    recordRejection(flow, `${role}: the receiver could not be set: ${toErrorCode(error)}`)
    throw businessErrorIn(error) ?? noResponse(error)
  } finally {
    flow.needsEvaluation = true
  }
}
