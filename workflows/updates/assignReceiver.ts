import { CancellationScope } from '@temporalio/workflow'
import type { AssignReceiverUpdate, FlowStatus } from '#flows'
import * as activities from '../activities.ts'
import { isCancelled } from '../cancellation.ts'
import { type FlowContext, findCompletedBy, recordRejection, requirePlanned, toStatus } from '../context.ts'
import { businessErrorIn, flowFailure, isActivityError, noResponse, toErrorCode } from '../failures.ts'
import { applySnapshot, isReached } from '../stages/shipments.ts'
import { validate as validateNotEnded } from './cancel.ts'

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
  await CancellationScope.nonCancellable(() => assign(flow, update))
  return toStatus(flow)
}

function objectionTo(flow: FlowContext): string | undefined {
  const completed = findCompletedBy(flow, 'assignReceiver')
  if (completed === undefined) return 'This flow does not expect a receiver.'
  if (flow.booking !== 'booked') return 'The flow is not booked yet.'
  if (isCancelled(flow)) return 'The flow is being cancelled.'
  const hasReceiver = isReached({ ...requirePlanned(flow).progress, stage: completed.stage })
  return hasReceiver ? 'The shipment has its receiver already.' : undefined
}

async function assign(flow: FlowContext, { toUserUid }: AssignReceiverUpdate): Promise<void> {
  const { plan } = requirePlanned(flow).progress
  const held = findCompletedBy(flow, 'assignReceiver')?.shipment
  if (held === undefined) throw new Error('The flow has no shipment that expects a receiver.')
  const { shipmentUid, role } = held
  try {
    const snapshot = await activities.assignReceiver({ shipmentUid, toUserUid, profile: plan.profile })
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
