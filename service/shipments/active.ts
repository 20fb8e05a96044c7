import { states } from '#contract/terms'
import { type Call, Refusal } from '../operations/call.ts'
import { shipmentToChange } from './find.ts'
import type { Shipment } from './make.ts'

/**
 * A shipment of the caller that has not ended, held for a change of what is known of it.
 * @throws Refusal InvalidShipment, InvalidShipmentState
 */
export async function activeShipment(call: Call, shipmentUid: string): Promise<Shipment> {
  const shipment = await shipmentToChange(call, shipmentUid)
  refuseEnded(shipment)
  return shipment
}

/** @throws Refusal InvalidShipmentState */
export function refuseEnded({ state_code }: Shipment): void {
  if (!states[state_code].final) return
  throw new Refusal('InvalidShipmentState', `A shipment in ${state_code} has ended and stays as it was`)
}
