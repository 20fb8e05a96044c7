import type { Insertable } from 'kysely'
import type { StoreTransaction } from '../store/index.ts'
import type { LockerRow } from '../store/tables.ts'
import { counted, type DeclaredLocker, declaredLockers } from './lockers.ts'
import type { DeclaredPickUpPoint, Topology } from './shape.ts'

/** Adds or updates the pick up points and their lockers; whether a locker is booked is not the topology's business. */
export async function applyPickUpPoints(tx: StoreTransaction, { pickUpPoints }: Topology): Promise<void> {
  for (const point of pickUpPoints) {
    const described = {
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
      .values({ pup_uid: point.pupUid, ...described })
      .onConflict(conflict => conflict.column('pup_uid').doUpdateSet(described))
      .execute()
    await applyLockers(tx, point)
  }
}

/** Rows that are read or written in one statement. */
const sliceRows = 500

const measures = ['position', 'width', 'height', 'length', 'shortest', 'middle', 'longest', 'volume'] as const

type Declared = Insertable<LockerRow>

/** Writes what is new or differs, and nothing else: a start must not wait for the bookings of other processes. */
async function applyLockers(tx: StoreTransaction, point: DeclaredPickUpPoint): Promise<void> {
  const declared = counted(declaredLockers(point)).map((locker, position) => rowOf(point, locker, position))
  for (let at = 0; at < declared.length; at += sliceRows) {
    const slice = declared.slice(at, at + sliceRows)
    const kept = await keptLockers(tx, point.pupUid, slice)
    for (const row of slice) refuseOtherLocker(row, kept)
    const byUid = new Map(kept.map(row => [row.locker_uid, row]))
    const changed = slice.filter(row => measures.some(measure => byUid.get(row.locker_uid)?.[measure] !== row[measure]))
    if (changed.length > 0) await write(tx, changed)
  }
}

function rowOf(point: DeclaredPickUpPoint, { uid, name, ...sides }: DeclaredLocker, position: number): Declared {
  const { width, height, length } = sides
  const [shortest = 0, middle = 0, longest = 0] = [width, height, length].toSorted((one, other) => one - other)
  const measured = { position, width, height, length, shortest, middle, longest, volume: width * height * length }
  return { locker_uid: uid, pup_uid: point.pupUid, name, ...measured, booked: 0 }
}

/** The lockers that have one of these uids, or one of these names at the pick up point. */
function keptLockers(tx: StoreTransaction, pupUid: string, rows: readonly Declared[]): Promise<LockerRow[]> {
  const uids = rows.map(({ locker_uid }) => locker_uid)
  const names = rows.map(({ name }) => name)
  return tx
    .selectFrom('lockers')
    .selectAll()
    .where(is => is.or([is('locker_uid', 'in', uids), is.and([is('pup_uid', '=', pupUid), is('name', 'in', names)])]))
    .execute()
}

/** A uid and a name belong together for good: shipments refer to them. */
function refuseOtherLocker({ locker_uid, pup_uid, name }: Declared, kept: readonly LockerRow[]): void {
  const other = kept.find(row => (row.locker_uid === locker_uid) !== (row.pup_uid === pup_uid && row.name === name))
  if (other === undefined) return
  throw new Error(
    `topology: locker ${name} of ${pup_uid} cannot be ${locker_uid}: ${other.locker_uid} is locker ${other.name} of ${other.pup_uid} already`,
  )
}

async function write(tx: StoreTransaction, rows: readonly Declared[]): Promise<void> {
  await tx
    .insertInto('lockers')
    .values([...rows])
    .onConflict(conflict =>
      conflict
        .column('locker_uid')
        .doUpdateSet(eb => Object.fromEntries(measures.map(measure => [measure, eb.ref(`excluded.${measure}`)]))),
    )
    .execute()
}
