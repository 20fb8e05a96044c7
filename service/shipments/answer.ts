import type { ResponseOf } from '#contract'
import type { Call } from '../operations/call.ts'
import type { Shipment } from './make.ts'

/** What a main operation answers of the one shipment that it made (specification, CreateLocalShipment: Response). */
export async function bookedOne(
  { tx }: Call,
  { shipment_uid, pup_uid, locker_uid }: Shipment,
): Promise<ResponseOf<'CreateLocalShipment'>> {
  const { name } = await tx
    .selectFrom('lockers')
    .select('name')
    .where('locker_uid', '=', locker_uid)
    .executeTakeFirstOrThrow()
  return { shipmentUid: shipment_uid, pupUid: pup_uid, lockerName: name }
}
