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
 * Opens doors with a time limit that also holds for adapters that ignore their signal. A door opens under a lease and
 * outside of transactions (D-100), so a door that hangs delays no other locker.
 */
export function createDoors({ hardware, unlockTimeout, log }: DoorParts): OpenDoor {
  return async door => {
    const signal = AbortSignal.timeout(unlockTimeout)
    const timeout = Promise.withResolvers<false>()
    signal.addEventListener('abort', () => timeout.resolve(false), { once: true })
    try {
      const opened = await Promise.race([hardware.open(door, signal), timeout.promise])
      if (!opened)
        log.warn({ logId: 'door-not-opened', ...door, timedOut: signal.aborted }, 'locker door failed to open')
      return opened
    } catch (error) {
      log.warn({ logId: 'door-not-opened', ...door, err: error }, 'locker door failed to open')
      return false
    }
  }
}
