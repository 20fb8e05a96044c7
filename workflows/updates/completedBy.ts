import type { CompletingUpdate, PlannedWait } from '#flows'
import type { FlowContext } from '../context.ts'
import type { ShipmentProgress } from '../progress.ts'
import { rootOf } from '../tokens.ts'

export interface Completed {
  readonly step: PlannedWait
  readonly role: string
  /** Undefined before its booking. */
  readonly shipment: ShipmentProgress | undefined
}

/**
 * The step that an update completes, and its shipment: the current one, or the next one that the flow has not passed.
 * Undefined for a flow without such a step, and after the last one.
 */
export function findCompletedBy({ progress }: FlowContext, update: CompletingUpdate['update']): Completed | undefined {
  if (progress === undefined) return undefined
  const { plan, lockers } = progress
  for (const step of plan.steps.slice(rootOf(progress).step)) {
    if (step.kind !== 'wait' || step.completedBy?.update !== update) continue
    const { role } = step.completedBy
    return { step, role, shipment: lockers.shipments.find(held => held.role === role) }
  }
  return undefined
}
