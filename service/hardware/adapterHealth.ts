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
   * The adapters whose last contact failed. If the last contact is too old, the call starts to read the state of one door,
   * and a later call returns the result. Calls in between start nothing.
   */
  missing(): readonly Missing[]
  /** Waits for the checks in progress. */
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
      // The client has recorded the response of the adapter, and readiness reports the store.
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

/** Readiness is public. It must not contain the name of an adapter, which is part of a path. */
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
