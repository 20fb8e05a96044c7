import type { Insertable, Selectable } from 'kysely'
import type { StoreTransaction } from '../store/index.ts'
import type { LockerRow } from '../store/tables.ts'
import { type DeclaredLocker, declaredLockers, sortByName } from './lockers.ts'
import type { DeclaredPickUpPoint, Topology } from './shape.ts'

/** Rows per statement. */
const sliceRows = 500

const measureColumns = ['position', 'width', 'height', 'length', 'side_min', 'side_mid', 'side_max', 'volume'] as const

type LockerInsert = Insertable<LockerRow>
type StoredLocker = Selectable<LockerRow>

/** Inserts or updates the pick up points and their lockers. Leaves the column `booked` of existing lockers alone. */
export async function applyPickUpPoints(tx: StoreTransaction, { pickUpPoints }: Topology): Promise<void> {
  for (const point of pickUpPoints) {
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
    await tx
      .insertInto('pick_up_points')
      .values({ pup_uid: point.pupUid, ...columns })
      .onConflict(conflict => conflict.column('pup_uid').doUpdateSet(columns))
      .execute()
    await applyLockers(tx, point)
  }
}

/** Writes new and changed rows only, so that a start does not wait for row locks of bookings in other processes. */
async function applyLockers(tx: StoreTransaction, point: DeclaredPickUpPoint): Promise<void> {
  const declared = sortByName(declaredLockers(point)).map((locker, position) => toRow(point, locker, position))
  for (let at = 0; at < declared.length; at += sliceRows) {
    const slice = declared.slice(at, at + sliceRows)
    const stored = await findStoredLockers(tx, point.pupUid, slice)
    for (const row of slice) assertSameLocker(row, stored)
    const byUid = new Map(stored.map(row => [row.locker_uid, row]))
    const changed = slice.filter(row =>
      measureColumns.some(column => byUid.get(row.locker_uid)?.[column] !== row[column]),
    )
    if (changed.length > 0) await writeLockers(tx, changed)
  }
}

function toRow(point: DeclaredPickUpPoint, { uid, name, ...sides }: DeclaredLocker, position: number): LockerInsert {
  const { width, height, length } = sides
  const [side_min = 0, side_mid = 0, side_max = 0] = [width, height, length].toSorted((a, b) => a - b)
  const measured = { position, width, height, length, side_min, side_mid, side_max, volume: width * height * length }
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
