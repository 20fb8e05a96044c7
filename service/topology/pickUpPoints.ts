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

async function applyLockers(tx: StoreTransaction, point: DeclaredPickUpPoint): Promise<void> {
  for (const [position, { uid, name, width, height, length }] of counted(declaredLockers(point)).entries()) {
    await refuseAnotherLocker(tx, point.pupUid, name, uid)
    const [shortest = 0, middle = 0, longest = 0] = [width, height, length].toSorted((one, other) => one - other)
    const measured = { position, width, height, length, shortest, middle, longest, volume: width * height * length }
    await tx
      .insertInto('lockers')
      .values({ locker_uid: uid, pup_uid: point.pupUid, name, ...measured, booked: 0 })
      .onConflict(conflict => conflict.column('locker_uid').doUpdateSet(measured))
      .execute()
  }
}

/** A uid and a name belong together for good: shipments refer to them. */
async function refuseAnotherLocker(tx: StoreTransaction, pupUid: string, name: string, uid: string): Promise<void> {
  const other = await tx
    .selectFrom('lockers')
    .select(['locker_uid', 'pup_uid', 'name'])
    .where(is => is.or([is('locker_uid', '=', uid), is.and([is('pup_uid', '=', pupUid), is('name', '=', name)])]))
    .where(is => is.or([is('locker_uid', '!=', uid), is('pup_uid', '!=', pupUid), is('name', '!=', name)]))
    .executeTakeFirst()
  if (other === undefined) return
  throw new Error(
    `topology: locker ${name} of ${pupUid} cannot be ${uid}: ${other.locker_uid} is locker ${other.name} of ${other.pup_uid} already`,
  )
}
