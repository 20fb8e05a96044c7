import { condition, defineQuery, setHandler } from '@temporalio/workflow'
import type { ShipmentStatus } from '#contract/terms'
import { shipmentStatus } from '#workflows/messages'

export const heard = defineQuery<ShipmentStatus[]>('heard')

/** Keeps what it is told and ends when a shipment is completed. */
export async function recorder(): Promise<ShipmentStatus[]> {
  const told: ShipmentStatus[] = []
  setHandler(shipmentStatus, status => {
    told.push(status)
  })
  setHandler(heard, () => told)
  await condition(() => told.some(({ stateCode }) => stateCode === 'Completed'))
  return told
}
