import type { Logger } from 'pino'
import type { Door, Hardware } from './hardware.ts'

/** Opens a door and returns whether it opened. Never throws, and returns within the time limit. */
export type OpenDoor = (door: Door) => Promise<boolean>

export interface DoorParts {
  readonly hardware: Hardware
  /** Milliseconds. */
  readonly unlockTimeout: number
  readonly log: Pick<Logger, 'warn'>
}

/**
 * Opens doors with a time limit that also holds for adapters that ignore their signal. Doors open inside a transaction,
 * since a shipment may advance only when its door is open, and the embedded store has no other writer meanwhile.
 */
export function createDoors({ hardware, unlockTimeout, log }: DoorParts): OpenDoor {
  return async door => {
    const signal = AbortSignal.timeout(unlockTimeout)
    const timeout = Promise.withResolvers<false>()
    signal.addEventListener('abort', () => timeout.resolve(false), { once: true })
    try {
      const opened = await Promise.race([hardware.open(door, signal), timeout.promise])
      if (!opened) log.warn({ ...door, timedOut: signal.aborted }, 'locker door failed to open')
      return opened
    } catch (error) {
      log.warn({ ...door, err: error }, 'locker door failed to open')
      return false
    }
  }
}

/** Doors for one request: a retried transaction does not open a door a second time. */
export function openEachOnce(openDoor: OpenDoor): OpenDoor {
  const opened = new Set<string>()
  return async door => {
    if (opened.has(door.lockerUid)) return true
    const isOpen = await openDoor(door)
    if (isOpen) opened.add(door.lockerUid)
    return isOpen
  }
}
