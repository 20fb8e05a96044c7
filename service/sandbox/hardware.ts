import type { OpenDoor } from '../hardware/index.ts'
import type { Faults } from './faults.ts'

/** The doors as a tenant finds them: while its hardware fails none is asked to open. */
export function failingDoors(openDoor: OpenDoor, faults: Faults, tenantId: string): OpenDoor {
  return async door => !faults.of(tenantId).hardwareFails && (await openDoor(door))
}
