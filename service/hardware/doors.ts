import type { Logger } from 'pino'
import type { Door, Hardware } from './hardware.ts'

/**
 * Opens a door and returns whether it opened. Never throws, and returns within the time limit.
 * @param openId the id of the lease: unique for each request
 */
export type OpenDoor = (door: Door, openId: string) => Promise<boolean>

export interface OpenDoorParts {
  readonly hardware: Hardware
  /** Milliseconds. */
  readonly unlockTimeout: number
  readonly log: Pick<Logger, 'warn'>
  /** Called with each door that did not open in time. */
  readonly onFailure?: ((door: Door) => void) | undefined
}

/**
 * Opens doors with a time limit that also holds for adapters that ignore their signal. A door opens under a lease and
 * outside of transactions, so a door that hangs delays no other locker.
 */
export function createOpenDoor({ hardware, unlockTimeout, log, onFailure }: OpenDoorParts): OpenDoor {
  return async (door, openId) => {
    const { pupUid, lockerUid, lockerName } = door
    const signal = AbortSignal.timeout(unlockTimeout)
    const timeout = Promise.withResolvers<false>()
    signal.addEventListener('abort', () => timeout.resolve(false), { once: true })
    try {
      const opening = hardware.open({ ...door, openId, timeout: unlockTimeout }, signal)
      const opened = await Promise.race([opening, timeout.promise])
      if (opened) return true
      log.warn(
        { logId: 'door-not-opened', pupUid, lockerUid, lockerName, openId, timedOut: signal.aborted },
        'locker door failed to open',
      )
    } catch (error) {
      log.warn(
        { logId: 'door-not-opened', pupUid, lockerUid, lockerName, openId, timedOut: signal.aborted, err: error },
        'locker door failed to open',
      )
    }
    onFailure?.(door)
    return false
  }
}
