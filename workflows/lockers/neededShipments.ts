import { type Json, type PlannedBook, type PlannedStep, pathsIn, pathsInOutputs, roleToCancel, sentBy } from '#flows'
import { type FlowProgress, isAhead, isAt } from '../progress.ts'

/**
 * True if a later step of the flow waits for the role or sends its uid, or the result contains it. Roles that no step
 * awaits count too, and those whose shipment the flow itself cancels do not.
 */
export function isNeeded(progress: FlowProgress, role: string): boolean {
  const { plan } = progress
  if (isCancelledByFlow(progress, role)) return false
  const isRead = (path: string) => path === role || path.startsWith(`${role}.`)
  const awaiting = plan.steps.flatMap((each, index) => (each.kind === 'wait' && role in each.reached ? [index] : []))
  const isLater = awaiting.length === 0 || awaiting.some(index => isAt(progress, index) || isAhead(progress, index))
  if (isLater || pathsInOutputs(plan.outputs).some(isRead)) return true
  // The work of the step that is under way has sent it already.
  const ahead = plan.steps.filter((_, index) => isAhead(progress, index))
  return ahead.some(each => pathsIn(sentBy(each)).some(isRead))
}

/** The uid of the shipment that a step cancels; undefined for any other step. */
export function uidToCancel({ lockers }: FlowProgress, step: PlannedStep): string | undefined {
  const role = step.kind === 'call' ? roleToCancel(step.operation, step.request) : undefined
  return lockers.shipments.find(held => held.role === role)?.shipmentUid
}

/** True if an earlier call of the flow has cancelled the shipment that this one cancels, or one that it is linked to. */
export function isEndedBefore(progress: FlowProgress, step: PlannedStep): boolean {
  const uid = uidToCancel(progress, step)
  const held = progress.lockers.shipments.find(({ shipmentUid }) => shipmentUid === uid)
  return held !== undefined && isCancelledByFlow(progress, held.role, step)
}

/** True if the call cancels the shipment, itself or by a link. */
function ends(progress: FlowProgress, step: PlannedStep, uid: string): boolean {
  if (uidToCancel(progress, step) === uid) return true
  const roles = step.kind === 'call' ? (step.ends ?? []) : []
  return progress.lockers.shipments.some(({ role, shipmentUid }) => shipmentUid === uid && roles.includes(role))
}

/** True if a call of the flow has cancelled the shipment of the role, or one that it is linked to, or is doing so. */
function isCancelledByFlow(progress: FlowProgress, role: string, except?: PlannedStep): boolean {
  const { plan, outputs, lockers } = progress
  const uid = lockers.shipments.find(held => held.role === role)?.shipmentUid
  if (uid === undefined) return false
  return plan.steps.some((each, index) => {
    if (each === except || !ends(progress, each, uid) || isAhead(progress, index)) return false
    return isAt(progress, index) || isWithoutError(outputs[each.name])
  })
}

/** False for a step that was left out, and for one whose error the flow tolerates. */
function isWithoutError(output: Json | undefined): boolean {
  return output !== undefined && !(typeof output === 'object' && output !== null && 'error' in output)
}

/**
 * True if an earlier step has booked the shipment that this one only issues: the undo of that step comes after this one,
 * and cancels the shipment or reports it.
 */
export function isUndoneLater({ plan, lockers, undo }: FlowProgress, step: PlannedBook, uid: string | null): boolean {
  const roles = lockers.shipments.flatMap(({ role, shipmentUid }) => (shipmentUid === uid ? [role] : []))
  return undo.some(entry => {
    const other = plan.steps[entry.step]
    return other?.kind === 'book' && other !== step && other.roles.some(({ name }) => roles.includes(name))
  })
}
