import type { OpenDoor } from '../hardware/index.ts'
import type { Call } from '../operations/call.ts'
import { faultsInForce } from './faults.ts'

/** The doors as a caller finds them: while its hardware fails none is asked to open. */
export function failingDoors(openDoor: OpenDoor, caller: Pick<Call, 'tx' | 'tenantId' | 'sandbox'>): OpenDoor {
  return async door => !(await faultsInForce(caller)).hardwareFails && (await openDoor(door))
}
