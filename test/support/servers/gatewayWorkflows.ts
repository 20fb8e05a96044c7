import { condition, defineQuery, setHandler } from '@temporalio/workflow'
import type { ShipmentStatus } from '#flows'
import { shipmentStatus } from '#flows/messages'

export const heard = defineQuery<ShipmentStatus[]>('heard')

/** Records its signals and ends when a shipment is completed. */
export async function recorder(): Promise<ShipmentStatus[]> {
  const told: ShipmentStatus[] = []
  setHandler(shipmentStatus, status => {
    told.push(status)
  })
  setHandler(heard, () => told)
  await condition(() => told.some(({ stateCode }) => stateCode === 'Completed'))
  return told
}
