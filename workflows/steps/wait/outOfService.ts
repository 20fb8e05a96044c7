import { isFinalState } from '#contract/terms'
import type { FlowProgress } from '../../progress.ts'

/** A locker of the flow does not work, and the policy of the step has not been applied; or all of them work again. */
export type ServiceChange = 'outOfService' | 'inService'

/** Undefined without a change. A service that reports no lockers out of service never causes one. */
export function findServiceChange({ shipments, step, outOfService: known }: FlowProgress): ServiceChange | undefined {
  const isBroken = shipments.some(({ lockerOutOfService, stateCode }) => lockerOutOfService && !isFinalState(stateCode))
  if (isBroken) return known?.step === step ? undefined : 'outOfService'
  return known === undefined ? undefined : 'inService'
}
