import { type Door, startDoor } from '../../../gateway/door/index.ts'
import type { DoorSettings } from '../../../gateway/door/settings.ts'
import type { DoorSurroundings } from '../../../gateway/door/start.ts'
import { silentLog } from '../world/settings.ts'

/** Starts a door for requests that need no Temporal: nothing listens at the address of its Temporal. */
export function startLoneDoor(
  settings: Pick<DoorSettings, 'issuers'> & Partial<DoorSettings>,
  surroundings: Partial<DoorSurroundings> = {},
): Promise<Door> {
  return startDoor(
    { host: '127.0.0.1', port: 0, ...settings },
    {
      temporal: { address: '127.0.0.1:1' },
      namespace: 'default',
      log: silentLog,
      clock: Date.now,
      readiness: { missing: () => [] },
      observer: undefined,
      stopping: new AbortController().signal,
      ...surroundings,
    },
  )
}
