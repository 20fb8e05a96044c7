import { type Api, ApiFault, ApiRefusal } from '#contract/client'
import type { ErrorCode } from '#contract/terms'
import type { FlowShipment } from '#flows'
import type { ItemKind } from './form.ts'
import type { RequestValues } from './request/index.ts'

type AccessCode = 'deliveryCode' | 'pickUpCode'

/** Open lockers with access codes, as people at the pick up point do. The service's sandbox plays them. */
export interface Openers {
  /** Places the item of a shipment in its locker. */
  dropOff(shipment: FlowShipment): Promise<void>
  /** Takes the item of a shipment out of its locker. */
  pickUp(shipment: FlowShipment): Promise<void>
}

const wrongCodes = ['000000', '111111', '222222', '333333']
const tooMany: ErrorCode = 'TooManyAttempts'

export function createOpeners(api: Api): Openers {
  const open = ({ shipmentUid, ...locker }: FlowShipment, code: AccessCode) =>
    openLocker(api, shipmentUid, code, locker)
  return {
    dropOff: shipment => open(shipment, 'deliveryCode'),
    pickUp: shipment => open(shipment, 'pickUpCode'),
  }
}

/**
 * Opens the locker of a shipment by one of its codes, as the person at the door does.
 * @param locker of the shipment, if the caller knows it
 * @throws ApiRefusal
 */
export async function openLocker(
  api: Api,
  shipmentUid: string,
  code: AccessCode,
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

/** Creates an account, or finds it. Returns its uid. @throws Error for an address of another tenant */
export async function createAccount(
  api: Api,
  firstName: string,
  lastName: string,
  pickUpPointUid: string,
  emailAddress = `${firstName.toLowerCase()}@example.org`,
): Promise<string> {
  const { userUid } = await api.call('CreateOrGetAccount', { emailAddress, firstName, lastName, pickUpPointUid })
  if (userUid === null) throw new Error(`name: must be free, but ${emailAddress} belongs to another tenant.`)
  return userUid
}

/** Creates the account of the user of a story with this number. Returns its uid. */
export function createUser(api: Api, number: number, pickUpPointUid: string): Promise<string> {
  return createAccount(api, 'User', String(number), pickUpPointUid, `user-${number}@example.org`)
}

const parcel = {
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 30, height: 15, length: 40 },
}

/** Creates a shipment that exists before the flow of a story. Returns its uid. @param name unique at the service */
export async function createItem(api: Api, name: string, kind: ItemKind, values: RequestValues): Promise<string> {
  const booking = { ...parcel, PupUid: values.pickUpPoint(1), Details: { ReferenceCaseNo: `before-${name}` } }
  const { shipmentUids } =
    kind === 'returned'
      ? await api.call('CreateLocalShipmentAsIntake', { ...booking, FromUserUid: values.user(1) })
      : await api.call('CreateLocalShipmentAsStock', booking)
  const [shipmentUid] = shipmentUids
  if (shipmentUid === undefined) throw new Error('The service has booked no shipment.')
  if (kind !== 'announced') await openLocker(api, shipmentUid, 'deliveryCode')
  return shipmentUid
}

/** Returns a code that does not open the locker of a shipment. */
export async function findWrongCode(api: Api, shipmentUid: string): Promise<string> {
  const codes: readonly unknown[] = Object.values(
    await api.call('GetShipmentAccessCode', { shipmentUid }, { withCodes: true }),
  )
  return wrongCodes.find(code => !codes.includes(code)) ?? ''
}

/** Enters a wrong code at the locker of a shipment. Returns the code of the refusal. */
export async function openWithWrongCode(
  api: Api,
  { shipmentUid, pupUid, lockerName }: Omit<FlowShipment, 'role'>,
): Promise<string> {
  const pinCode = await findWrongCode(api, shipmentUid)
  if (pupUid === null || lockerName === null) throw new Error(`shipment ${shipmentUid} has no locker.`)
  try {
    await api.call('SimulateLockerAccess', { pupUid, lockerName, pinCode })
  } catch (error) {
    if (error instanceof ApiRefusal || (error instanceof ApiFault && error.code === tooMany)) return error.code
    throw error
  }
  throw new Error('The wrong code belongs to another shipment in this locker.')
}
