import type { OpenDoor } from './doors.ts'

/** Doors for one call: a transaction that is done again does not open again what it has opened. */
export function openingOnce(openDoor: OpenDoor): OpenDoor {
  const opened = new Set<string>()
  return async door => {
    if (opened.has(door.lockerUid)) return true
    const open = await openDoor(door)
    if (open) opened.add(door.lockerUid)
    return open
  }
}
