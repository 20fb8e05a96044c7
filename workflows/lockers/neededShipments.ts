import {
  type FlowPlan,
  type Json,
  type PlannedBook,
  type PlannedStep,
  pathsIn,
  pathsInOutputs,
  roleToCancel,
  sentBy,
} from '#flows'
import { type FlowProgress, findOutput, isAhead, isAt, isLeft, isUnderWay, type ShipmentProgress } from '../progress.ts'
import { isInItem, isOfRound, toName } from '../scopes.ts'
import type { Token } from '../tokens.ts'
import { findShipment } from './roles.ts'
import { markUndone } from './shipments.ts'

/** The progress as a part of the tokens sees it. */
type View = Pick<FlowProgress, 'plan' | 'tokens' | 'outputs' | 'lockers'>

/**
 * True if a later step of the flow waits for the shipment or sends its uid, or the result contains it. Shipments that no
 * step awaits count too. Those that the flow itself cancels or has undone do not, nor do those of rounds that are over.
 */
export function isNeeded(progress: FlowProgress, held: ShipmentProgress): boolean {
  const view = { ...progress, tokens: findReaders(progress, held) }
  const { plan } = progress
  const role = toName(held.role)
  if (held.undone || isOfRound(held.role) || isCancelledByFlow(view, held)) return false
  const isComing = (index: number) => isAhead(view, index, bookingOf(plan, role))
  const isRead = (path: string) => path === role || path.startsWith(`${role}.`)
  const awaiting = plan.steps.flatMap((each, index) => (each.kind === 'wait' && role in each.reached ? [index] : []))
  const isLater = awaiting.length === 0 || awaiting.some(index => isAt(view, index) || isComing(index))
  if (isLater || pathsInOutputs(plan.outputs).some(isRead)) return true
  // The work of the step that is under way has sent it already.
  const ahead = plan.steps.filter((_, index) => isComing(index))
  return ahead.some(each => pathsIn(sentBy(each)).some(isRead))
}

/** The token whose list lacks a shipment that another program has cancelled: the innermost one that waits for it or sends it. */
export function findBereft(progress: FlowProgress): Token | undefined {
  const lost = progress.lockers.shipments.find(held => held.stateCode === 'Cancelled' && isNeeded(progress, held))
  if (lost === undefined) return undefined
  const reads = (token: Token) => isRoleAhead(progress, token, toName(lost.role))
  return findReaders(progress, lost).findLast(reads) ?? progress.tokens[0]
}

/** The tokens that can read the role of a shipment: that of an item exists in this item only. */
function findReaders(progress: FlowProgress, { role }: ShipmentProgress): Token[] {
  return progress.tokens.filter(({ id }) => isInItem(id, role) && !isLeft(progress, id))
}

function isRoleAhead(progress: FlowProgress, token: Token, role: string): boolean {
  const view = { ...progress, tokens: [token] }
  return progress.plan.steps.some((each, index) => {
    if (each.kind === 'wait') return role in each.reached && (isAt(view, index) || isAhead(view, index))
    return isAhead(view, index) && pathsIn(sentBy(each)).some(path => path.startsWith(`${role}.`))
  })
}

/** The uid of the shipment that a step cancels; undefined for any other step. */
export function uidToCancel({ lockers }: View, step: PlannedStep, scope: string): string | undefined {
  const role = step.kind === 'call' ? roleToCancel(step.operation, step.request) : undefined
  return role === undefined ? undefined : findShipment(lockers, scope, role)?.shipmentUid
}

/** True if an earlier call of the flow has cancelled the shipment that this one cancels, or one that it is linked to. */
export function isEndedBefore(progress: FlowProgress, step: PlannedStep, scope: string): boolean {
  const uid = uidToCancel(progress, step, scope)
  const held = progress.lockers.shipments.find(({ shipmentUid }) => shipmentUid === uid)
  return held !== undefined && (held.undone === true || isCancelledByFlow(progress, held, step))
}

/** The flow goes on without the shipments that its calls have cancelled, although a further round forgets the calls. */
export function dropCancelled(progress: FlowProgress): void {
  const { lockers } = progress
  const dropped = new Set(lockers.shipments.filter(held => isCancelledByFlow(progress, held)).map(({ role }) => role))
  markUndone(lockers, role => dropped.has(role))
}

/** The index of the step that books a role; -1 without one. */
function bookingOf({ steps }: FlowPlan, role: string): number {
  return steps.findIndex(step => step.kind === 'book' && step.roles.some(({ name }) => name === role))
}

/** True if the call cancels the shipment, itself or by a link. */
function ends(view: View, step: PlannedStep, scope: string, uid: string): boolean {
  if (step.kind !== 'call') return false
  if (uidToCancel(view, step, scope) === uid) return true
  return (step.ends ?? []).some(role => findShipment(view.lockers, scope, role)?.shipmentUid === uid)
}

/** True if a call of the flow has cancelled the shipment, or one that it is linked to, or is doing so. */
function isCancelledByFlow(view: View, { shipmentUid, role }: ShipmentProgress, except?: PlannedStep): boolean {
  const scope = scopeOfRole(role)
  return view.plan.steps.some((each, index) => {
    if (each === except || !ends(view, each, scope, shipmentUid)) return false
    return isUnderWay(view, index) || isWithoutError(findOutput(view, scope, each.name))
  })
}

/** False for a step that was left out, and for one whose error the flow tolerates. */
function isWithoutError(output: Json | undefined): boolean {
  return output !== undefined && !(typeof output === 'object' && output !== null && 'error' in output)
}

/** The items of a role, in the form of a scope. */
function scopeOfRole(role: string): string {
  return role.slice(toName(role).length)
}

/**
 * True if an earlier step has booked the shipment that this one only issues: the undo of that step comes after this one,
 * and cancels the shipment or reports it.
 */
export function isUndoneLater({ plan, lockers, undo }: FlowProgress, step: PlannedBook, uid: string | null): boolean {
  const roles = lockers.shipments.flatMap(({ role, shipmentUid }) => (shipmentUid === uid ? [toName(role)] : []))
  return undo.some(entry => {
    const other = plan.steps[entry.step]
    const isOther = other?.kind === 'book' && other.name !== toName(step.name)
    return isOther && other.roles.some(({ name }) => roles.includes(name))
  })
}
