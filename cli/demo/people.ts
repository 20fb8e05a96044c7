import type { Api } from '#api'
import type { FlowShipment } from '#contract/terms'

/** The people at the pick up point, played by the service's sandbox: they know a code and open a locker with it. */
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
    if (pinCode === null || pupUid === null || lockerName === null) throw new Error(`${shipmentUid} cannot be opened`)
    await api.call('SimulateLockerAccess', { pupUid, lockerName, pinCode })
  }
  return {
    dropOff: shipment => open(shipment, 'deliveryCode'),
    pickUp: shipment => open(shipment, 'pickUpCode'),
  }
}
