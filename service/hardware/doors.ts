import type { Logger } from 'pino'
import type { Door, Hardware } from './hardware.ts'

/** Asks for a door and says whether it opened; never throws, and never takes longer than the patience. */
export type OpenDoor = (door: Door) => Promise<boolean>

export interface DoorParts {
  readonly hardware: Hardware
  /** Milliseconds. */
  readonly unlockTimeout: number
  readonly log: Pick<Logger, 'warn'>
}

/**
 * The doors of a service. They are asked for inside a transaction, since the shipment may advance only when the door
 * is open, and meanwhile the embedded store has no other writer: hence the limit, also on an adapter that ignores it.
 */
export function createDoors({ hardware, unlockTimeout, log }: DoorParts): OpenDoor {
  return async door => {
    const signal = AbortSignal.timeout(unlockTimeout)
    const late = Promise.withResolvers<false>()
    signal.addEventListener('abort', () => late.resolve(false), { once: true })
    try {
      const opened = await Promise.race([hardware.open(door, signal), late.promise])
      if (!opened) log.warn({ ...door, late: signal.aborted }, 'a door did not open')
      return opened
    } catch (error) {
      log.warn({ ...door, err: error }, 'a door did not open')
      return false
    }
  }
}
