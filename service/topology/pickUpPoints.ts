import type { StoreTransaction } from '../store/index.ts'
import { counted, declaredLockers } from './lockers.ts'
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

/** Rows that are written in one statement. */
const sliceRows = 500

async function applyLockers(tx: StoreTransaction, point: DeclaredPickUpPoint): Promise<void> {
  const lockers = counted(declaredLockers(point))
  await refuseOtherLockers(tx, point.pupUid, lockers)
  const rows = lockers.map(({ uid, name, width, height, length }, position) => {
    const [shortest = 0, middle = 0, longest = 0] = [width, height, length].toSorted((one, other) => one - other)
    const measured = { position, width, height, length, shortest, middle, longest, volume: width * height * length }
    return { locker_uid: uid, pup_uid: point.pupUid, name, ...measured, booked: 0 as const }
  })
  for (let at = 0; at < rows.length; at += sliceRows) {
    await tx
      .insertInto('lockers')
      .values(rows.slice(at, at + sliceRows))
      .onConflict(conflict =>
        conflict.column('locker_uid').doUpdateSet(eb => ({
          position: eb.ref('excluded.position'),
          width: eb.ref('excluded.width'),
          height: eb.ref('excluded.height'),
          length: eb.ref('excluded.length'),
          shortest: eb.ref('excluded.shortest'),
          middle: eb.ref('excluded.middle'),
          longest: eb.ref('excluded.longest'),
          volume: eb.ref('excluded.volume'),
        })),
      )
      .execute()
  }
}

/** A uid and a name belong together for good: shipments refer to them. */
async function refuseOtherLockers(
  tx: StoreTransaction,
  pupUid: string,
  lockers: readonly { readonly uid: string; readonly name: string }[],
): Promise<void> {
  for (let at = 0; at < lockers.length; at += sliceRows) {
    const slice = lockers.slice(at, at + sliceRows)
    const uids = slice.map(({ uid }) => uid)
    const names = slice.map(({ name }) => name)
    const kept = await tx
      .selectFrom('lockers')
      .select(['locker_uid', 'pup_uid', 'name'])
      .where(is => is.or([is('locker_uid', 'in', uids), is.and([is('pup_uid', '=', pupUid), is('name', 'in', names)])]))
      .execute()
    for (const { uid, name } of slice) {
      const other = kept.find(row => (row.locker_uid === uid) !== (row.pup_uid === pupUid && row.name === name))
      if (other === undefined) continue
      throw new Error(
        `topology: locker ${name} of ${pupUid} cannot be ${uid}: ${other.locker_uid} is locker ${other.name} of ${other.pup_uid} already`,
      )
    }
  }
}
