import { isFinalState } from '#contract/terms'
import type { PlannedStage } from '#flows'
import { type FlowProgress, type PlannedFlow, setState } from '../context.ts'
import { notify } from '../notifications/start.ts'

/** A locker of the flow does not work, and the policy of the stage has not been applied; or all of them work again. */
export type ServiceChange = 'outOfService' | 'inService'

/** Undefined without a change. A service that reports no lockers out of service never causes one. */
export function findServiceChange({ shipments, stage, outOfService: known }: FlowProgress): ServiceChange | undefined {
  const isBroken = shipments.some(({ lockerOutOfService, stateCode }) => lockerOutOfService && !isFinalState(stateCode))
  if (isBroken) return known?.stage === stage ? undefined : 'outOfService'
  return known === undefined ? undefined : 'inService'
}

/**
 * Applies the policy of the stage, once for each stage and outage. Returns `cancelled` when it ends the flow. Items stay
 * in their lockers, as in every clean-up.
 */
export function onOutOfService(flow: PlannedFlow, stage: PlannedStage): 'cancelled' | undefined {
  const { progress } = flow
  const policy = stage.onLockerOutOfService ?? 'remind'
  // A window that has passed with a question has its own decision already.
  const asked = policy === 'ask' && !(flow.state === 'overdue' && progress.deadline === null)
  progress.outOfService = { stage: progress.stage, asked }
  if (asked) {
    setState(flow, 'overdue')
    progress.deadline = null
  }
  notify(flow, 'flow.outOfService')
  return policy === 'cancel' ? 'cancelled' : undefined
}

/** Takes back a question that has no decision yet. The window of the stage starts again. */
export function onInService(flow: PlannedFlow, { window }: PlannedStage): void {
  const { progress } = flow
  const isOpen = progress.outOfService?.asked === true && flow.state === 'overdue'
  delete progress.outOfService
  if (!isOpen) return
  setState(flow, 'waiting')
  progress.deadline = window === null ? null : Date.now() + window
}
