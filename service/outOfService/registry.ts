import { recordAudit } from '../audit/index.ts'
import { ArgumentError } from '../operationError.ts'
import { advisoryLock, inTransaction, openExistingStore, type Store, type StoreTransaction } from '../store/index.ts'
import { changeService, type ServiceTarget } from './change.ts'
import { type AffectedShipment, findAffected, listLockers, type PickUpPointEntry } from './list.ts'

/** Names a pick up point, or one locker by the label on its door. */
export interface NamedTarget {
  readonly pupUid: string
  readonly lockerName?: string | undefined
}

export interface ServiceChanged extends NamedTarget {
  /** False if it was in this state already. */
  readonly changed: boolean
  /** The active shipments there. Their bookings stay. */
  readonly shipments: readonly AffectedShipment[]
}

/**
 * Puts lockers and pick up points in and out of service, in a store that services may have open. Each method is one
 * transaction, and throws an Error that begins with the argument that is wrong. No booking is made after
 * `takeOutOfService` has returned.
 */
export interface LockerRegistry {
  list(pupUid?: string): Promise<readonly PickUpPointEntry[]>
  /** @param reason shown to dispatchers; 1 to 200 characters */
  takeOutOfService(target: NamedTarget, reason: string): Promise<ServiceChanged>
  returnToService(target: NamedTarget): Promise<ServiceChanged>
  close(): Promise<void>
}

/** Time limit of a statement in milliseconds: a change waits for the bookings that are under way. */
const statementTimeout = 60_000

const maxReason = 200

/**
 * Opens the store at a `file:` or `postgres://` URL.
 * @throws Error when it cannot be opened, or is a file that does not exist
 */
export async function openLockerRegistry(databaseUrl: string): Promise<LockerRegistry> {
  return createLockerRegistry(await openExistingStore(databaseUrl, { statementTimeout }), Date.now)
}

/** Creates the registry of an open store, which `close` closes. */
export function createLockerRegistry(store: Store, clock: () => number): LockerRegistry {
  const change = (target: NamedTarget, reason: string | null) => changeNamed(store, target, { reason, now: clock() })
  return {
    async list(pupUid) {
      const points = await listLockers(store, pupUid)
      if (pupUid !== undefined && points.length === 0) throw unknownPoint(pupUid)
      return points
    },
    takeOutOfService: async (target, reason) => change(target, readReason(reason)),
    returnToService: target => change(target, null),
    close: () => store.destroy(),
  }
}

function readReason(text: string): string {
  const reason = text.trim()
  if (reason.length > 0 && reason.length <= maxReason) return reason
  throw new ArgumentError(`--out-of-service: must have a reason of 1 to ${maxReason} characters.`)
}

function changeNamed(
  store: Store,
  named: NamedTarget,
  change: { readonly reason: string | null; readonly now: number },
): Promise<ServiceChanged> {
  return inTransaction(store, async tx => {
    await advisoryLock(tx, 'topology')
    const target = await requireTarget(tx, named)
    const changed = await changeService(tx, target, { ...change, byCommand: true })
    const action = change.reason === null ? 'locker.inService' : 'locker.outOfService'
    const subject = target.lockerUid ?? target.pupUid
    if (changed) await recordAudit(tx, { action, subject, actor: 'operator', now: change.now })
    return { ...named, changed, shipments: await findAffected(tx, target) }
  })
}

async function requireTarget(tx: StoreTransaction, { pupUid, lockerName }: NamedTarget): Promise<ServiceTarget> {
  const point = await tx.selectFrom('pick_up_points').select('pup_uid').where('pup_uid', '=', pupUid).executeTakeFirst()
  if (point === undefined) throw unknownPoint(pupUid)
  if (lockerName === undefined) return { pupUid }
  const locker = await tx
    .selectFrom('lockers')
    .select('locker_uid')
    .where('pup_uid', '=', pupUid)
    .where('name', '=', lockerName)
    .executeTakeFirst()
  if (locker === undefined)
    throw new ArgumentError(`--locker: must be the name of a locker of ${pupUid}, got "${lockerName}".`)
  return { pupUid, lockerUid: locker.locker_uid }
}

function unknownPoint(pupUid: string): Error {
  return new ArgumentError(`--pup: must be the uid of a pick up point, got "${pupUid}".`)
}
