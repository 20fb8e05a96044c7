import { type Api, ApiRefusal } from '#contract/client'
import { createValues, type RequestValues } from '#testing/cases/request'
import type { Before } from './story.ts'
import type { World } from './world.ts'

/** The values of the placeholders of a request, such as `{ $user: 1 }`. */
export interface Placeholders extends RequestValues {
  /** The shipments that exist before the flow, by name. */
  readonly items: Map<string, string>
}

/**
 * @param start of the flow, in milliseconds since 1970
 * @param scale of times after the start
 */
export function createPlaceholders(
  { users, topology: { pickUpPoints } }: World,
  start: number,
  scale = 1,
): Placeholders {
  const items = new Map<string, string>()
  return { ...createValues({ start, scale, users, pickUpPoints, items }), items }
}

const parcel = {
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 30, height: 15, length: 40 },
}

/** Creates a shipment that exists before the flow. Returns its uid. */
export async function createBefore(api: Api, name: string, kind: Before, placeholders: Placeholders): Promise<string> {
  const booking = { ...parcel, PupUid: placeholders.pickUpPoint(1), Details: { ReferenceCaseNo: `before-${name}` } }
  const { shipmentUids } =
    kind === 'returned'
      ? await api.call('CreateLocalShipmentAsIntake', { ...booking, FromUserUid: placeholders.user(1) })
      : await api.call('CreateLocalShipmentAsStock', booking)
  const [shipmentUid] = shipmentUids
  if (shipmentUid === undefined) throw new Error('The service has booked no shipment.')
  if (kind !== 'announced') await openLocker(api, shipmentUid, 'deliveryCode')
  return shipmentUid
}

/** Opens the locker of a shipment by one of its codes, as the person at the door does. @throws ApiRefusal */
export async function openLocker(
  api: Api,
  shipmentUid: string,
  code: 'deliveryCode' | 'pickUpCode',
  locker?: { readonly pupUid: string | null; readonly lockerName: string | null },
): Promise<void> {
  const found =
    locker === undefined
      ? (await api.call('GetShipments', { shipmentUid }, { withCodes: true })).items[0]
      : { ...locker, ...(await api.call('GetShipmentAccessCode', { shipmentUid }, { withCodes: true })) }
  const { pupUid, lockerName, [code]: pinCode } = found ?? {}
  if (pupUid == null || lockerName == null || pinCode == null) {
    throw new ApiRefusal('InvalidShipmentState', `The shipment ${shipmentUid} has no locker or no ${code} now.`, {})
  }
  await api.call('SimulateLockerAccess', { pupUid, lockerName, pinCode })
}
