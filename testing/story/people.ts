import { type Api, ApiFault, ApiRefusal } from '#contract/client'
import type { ErrorCode } from '#contract/terms'
import type { FlowShipment } from '#flows'

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
  async function open({ shipmentUid, pupUid, lockerName }: FlowShipment, code: 'pickUpCode' | 'deliveryCode') {
    const codes = await api.call('GetShipmentAccessCode', { shipmentUid }, { withCodes: true })
    const pinCode = codes[code]
    if (pinCode === null || pupUid === null || lockerName === null) {
      throw new Error(`shipment ${shipmentUid} has no ${code} or no locker.`)
    }
    await api.call('SimulateLockerAccess', { pupUid, lockerName, pinCode })
  }
  return {
    dropOff: shipment => open(shipment, 'deliveryCode'),
    pickUp: shipment => open(shipment, 'pickUpCode'),
  }
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
