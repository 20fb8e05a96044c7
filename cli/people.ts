import type { Api } from '#api'
import type { FlowShipment } from '#flows'

/** The people at the pick up point. The service's sandbox plays them: each opens a locker with an access code. */
export interface People {
  /** Places the item of a shipment in its locker. */
  dropOff(shipment: FlowShipment): Promise<void>
  /** Takes the item of a shipment out of its locker. */
  pickUp(shipment: FlowShipment): Promise<void>
}

export function createPeople(api: Api): People {
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
