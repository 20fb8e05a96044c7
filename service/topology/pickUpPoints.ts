import type { Insertable, Selectable } from 'kysely'
import { toSides } from '../lockers/index.ts'
import { changeService, closeLockers } from '../outOfService/index.ts'
import type { StoreTransaction } from '../store/index.ts'
import type { LockerRow } from '../store/tables.ts'
import { type DeclaredLocker, declaredLockers, sortByName } from './lockers.ts'
import type { Removed } from './removed.ts'
import type { DeclaredPickUpPoint, Topology } from './shape.ts'

/** Rows per statement. */
const sliceRows = 500

const measureColumns = ['position', 'width', 'height', 'length', 'side_min', 'side_mid', 'side_max', 'volume'] as const

type LockerInsert = Insertable<LockerRow>
type StoredLocker = Selectable<LockerRow>

export interface ApplyContext {
  readonly removed: Removed
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Inserts or updates the pick up points and their lockers. Leaves the column `booked` of existing lockers alone, and
 * what was retired or removed.
 * @returns the uids of pick up points with such entries
 */
export async function applyPickUpPoints(
  tx: StoreTransaction,
  { pickUpPoints }: Topology,
  context: ApplyContext,
): Promise<readonly string[]> {
  const ignored: string[] = []
  const stored = new Map((await tx.selectFrom('pick_up_points').selectAll().execute()).map(row => [row.pup_uid, row]))
  for (const point of pickUpPoints) {
    if (context.removed.pickUpPoints.has(point.pupUid)) {
      ignored.push(point.pupUid)
      continue
    }
    const columns = {
      name: point.name,
      time_zone: point.timeZone,
      overflow_pup_uid: point.overflowPupUid ?? null,
      street_name: point.streetName ?? null,
      street_no: point.streetNo ?? null,
      mailbox: point.mailbox ?? null,
      city: point.city ?? null,
      country_code: point.countryCode ?? null,
      external_reference: point.externalReference ?? null,
    }
    const row = stored.get(point.pupUid)
    if (
      row === undefined ||
      Object.entries(columns).some(([name, value]) => row[name as keyof typeof columns] !== value)
    )
      await tx
        .insertInto('pick_up_points')
        .values({ pup_uid: point.pupUid, ...columns })
        .onConflict(conflict => conflict.column('pup_uid').doUpdateSet(columns))
        .execute()
    const complete = await applyLockers(tx, point, context)
    if (!complete) ignored.push(point.pupUid)
  }
  await applyService(
    tx,
    pickUpPoints.filter(({ pupUid }) => !context.removed.pickUpPoints.has(pupUid)),
    context.now,
  )
  return ignored
}

/**
 * Writes new and changed rows only, so that a start does not wait for row locks of bookings in other processes. Returns
 * false if some of the lockers are retired or removed.
 */
async function applyLockers(
  tx: StoreTransaction,
  point: DeclaredPickUpPoint,
  { removed }: ApplyContext,
): Promise<boolean> {
  const all = sortByName(declaredLockers(point)).map((locker, position) => toRow(point, locker, position))
  const declared = all.filter(row => !removed.lockers.has(row.locker_uid))
  let complete = declared.length === all.length
  let added = false
  for (let at = 0; at < declared.length; at += sliceRows) {
    const slice = declared.slice(at, at + sliceRows)
    const stored = await findStoredLockers(tx, point.pupUid, slice)
    for (const row of slice) assertSameLocker(row, stored)
    const byUid = new Map(stored.map(row => [row.locker_uid, row]))
    const changed = slice.filter(row =>
      measureColumns.some(column => byUid.get(row.locker_uid)?.[column] !== row[column]),
    )
    if (changed.length > 0) await writeLockers(tx, changed)
    if (slice.some(row => byUid.get(row.locker_uid)?.retired_at != null)) complete = false
    if (slice.some(row => !byUid.has(row.locker_uid))) added = true
  }
  // A new locker of a closed pick up point is closed.
  if (added) await closeLockers(tx, point.pupUid)
  return complete
}

/** Puts pick up points and their lockers in and out of service, except those that the command has changed. */
async function applyService(tx: StoreTransaction, points: readonly DeclaredPickUpPoint[], now: number): Promise<void> {
  const storedPoints = await tx
    .selectFrom('pick_up_points')
    .select(['pup_uid', 'out_of_service_reason'])
    .where('service_by_command', '=', 0)
    .execute()
  const storedReasons = new Map(storedPoints.map(row => [row.pup_uid, row.out_of_service_reason]))
  for (const { pupUid, outOfService: reason = null } of points) {
    const storedReason = storedReasons.get(pupUid)
    if (storedReason !== undefined && storedReason !== reason)
      await changeService(tx, { pupUid }, { reason, now, byCommand: false })
  }
  const reasons = new Map(
    points.flatMap(point =>
      declaredLockers(point).map(({ uid, line }) => [uid, point.lockers[line]?.outOfService ?? null] as const),
    ),
  )
  const lockers = await tx
    .selectFrom('lockers')
    .select(['pup_uid', 'locker_uid', 'out_of_service_reason'])
    .where('service_by_command', '=', 0)
    .execute()
  for (const { pup_uid: pupUid, locker_uid: lockerUid, out_of_service_reason } of lockers) {
    const reason = reasons.get(lockerUid)
    if (reason === undefined || reason === out_of_service_reason) continue
    await changeService(tx, { pupUid, lockerUid }, { reason, now, byCommand: false })
  }
}

function toRow(point: DeclaredPickUpPoint, { uid, name, ...size }: DeclaredLocker, position: number): LockerInsert {
  const { width, height, length } = size
  const measured = { position, width, height, length, ...toSides(size), volume: width * height * length }
  return { locker_uid: uid, pup_uid: point.pupUid, name, ...measured, booked: 0 }
}

/** Returns the lockers with one of these uids, or with one of these names at the pick up point. */
function findStoredLockers(
  tx: StoreTransaction,
  pupUid: string,
  rows: readonly LockerInsert[],
): Promise<StoredLocker[]> {
  const uids = rows.map(({ locker_uid }) => locker_uid)
  const names = rows.map(({ name }) => name)
  return tx
    .selectFrom('lockers')
    .selectAll()
    .where(eb => eb.or([eb('locker_uid', 'in', uids), eb.and([eb('pup_uid', '=', pupUid), eb('name', 'in', names)])]))
    .execute()
}

/** The uid of a locker and its name must never change, because shipments refer to them. */
function assertSameLocker({ locker_uid, pup_uid, name }: LockerInsert, stored: readonly StoredLocker[]): void {
  const conflicting = stored.find(
    row => (row.locker_uid === locker_uid) !== (row.pup_uid === pup_uid && row.name === name),
  )
  if (conflicting === undefined) return
  throw new Error(
    `topology: locker ${name} of ${pup_uid} must not be ${locker_uid}: ${conflicting.locker_uid} is locker ${conflicting.name} of ${conflicting.pup_uid}`,
  )
}

async function writeLockers(tx: StoreTransaction, rows: readonly LockerInsert[]): Promise<void> {
  await tx
    .insertInto('lockers')
    .values([...rows])
    .onConflict(conflict =>
      conflict
        .column('locker_uid')
        .doUpdateSet(eb => Object.fromEntries(measureColumns.map(column => [column, eb.ref(`excluded.${column}`)]))),
    )
    .execute()
}
