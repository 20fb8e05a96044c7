import type { Missing } from '#contract'
import type { Store } from '../store/index.ts'
import type { AdapterClient } from './adapterClient.ts'
import type { AdapterContacts } from './contacts.ts'
import type { Door, HardwareAdapter } from './hardware.ts'

export interface AdapterHealthParts {
  readonly store: Store
  readonly adapters: readonly HardwareAdapter[]
  readonly client: Pick<AdapterClient, 'readState'>
  readonly contacts: AdapterContacts
  /** Milliseconds after which a contact is too old. */
  readonly contactLifetime?: number
  /** The clock of `contacts`. */
  readonly clock?: () => number
}

export interface AdapterHealth {
  /**
   * The adapters whose last contact failed. If it is too old, the state of one door is read in the background, for a later
   * call. So the number of calls does not matter.
   */
  missing(): readonly Missing[]
  /** Waits for the checks that are under way. */
  stop(): Promise<void>
}

export function createAdapterHealth(parts: AdapterHealthParts): AdapterHealth {
  const { store, adapters, client, contacts, contactLifetime = 10_000, clock = () => performance.now() } = parts
  const checks = new Map<HardwareAdapter, Promise<void>>()

  async function check(adapter: HardwareAdapter): Promise<void> {
    const door = await findDoor(store, adapters, adapter)
    if (door !== undefined) await client.readState(door)
  }

  function checkOnce(adapter: HardwareAdapter): void {
    const { at = Number.NEGATIVE_INFINITY } = contacts.last(adapter) ?? {}
    if (checks.has(adapter) || clock() - at < contactLifetime) return
    const checked = check(adapter)
      // The client has noted what the adapter did, and readiness names the store.
      .catch(() => undefined)
      .finally(() => checks.delete(adapter))
    checks.set(adapter, checked)
  }

  return {
    missing() {
      for (const adapter of adapters) checkOnce(adapter)
      return adapters.flatMap(adapter => {
        const fault = contacts.last(adapter)?.fault
        return fault === undefined ? [] : [{ name: 'hardware' as const, reason: `${settingOf(adapter)}: ${fault}` }]
      })
    },
    async stop() {
      await Promise.all(checks.values())
    },
  }
}

/** Everyone may read the readiness, so it must not contain the name of an adapter, which is part of a path. */
function settingOf({ name }: HardwareAdapter): string {
  return name === undefined ? 'LOCKERFLOW_HARDWARE_URL' : 'LOCKERFLOW_HARDWARE_ADAPTERS'
}

/** Any door of an adapter. */
async function findDoor(
  store: Store,
  adapters: readonly HardwareAdapter[],
  { pickUpPoints }: HardwareAdapter,
): Promise<Door | undefined> {
  const others = adapters.flatMap(other => other.pickUpPoints ?? [])
  const locker = await store
    .selectFrom('lockers')
    .select(['pup_uid', 'locker_uid', 'name'])
    .where('retired_at', 'is', null)
    .$if(pickUpPoints !== undefined, query => query.where('pup_uid', 'in', pickUpPoints ?? []))
    .$if(pickUpPoints === undefined && others.length > 0, query => query.where('pup_uid', 'not in', others))
    .limit(1)
    .executeTakeFirst()
  return locker && { pupUid: locker.pup_uid, lockerUid: locker.locker_uid, lockerName: locker.name }
}
