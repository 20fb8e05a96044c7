import { setTimeout as delay } from 'node:timers/promises'
import type { Api } from '#contract/client'
import { type Opening, openings } from '#testing/story'
import type { Shipment } from '#testing/story/arrivals'
import { createOpeners } from '#testing/story/people'

/** Milliseconds between two lists. */
const interval = 200

export function openingOf({ stateCode }: Pick<Shipment, 'stateCode'>): Opening | undefined {
  return openings[stateCode as keyof typeof openings]
}

/** The shipments of a case, or the one with this uid, the first one first. */
export async function listShipments(api: Api, subject: string): Promise<readonly Shipment[]> {
  const { items } = await api.call('GetShipments', { referenceCaseNo: subject })
  return items.length > 0 ? items : (await api.call('GetShipments', { shipmentUid: subject })).items
}

/** Repeats a list until it has a match, or the time is over. */
export async function waitFor<Found>(
  list: () => Promise<readonly Shipment[]>,
  find: (shipments: readonly Shipment[]) => Found | undefined,
  timeout: number,
): Promise<{ readonly found: Found | undefined; readonly shipments: readonly Shipment[] }> {
  for (const startedAt = performance.now(); ; await delay(interval)) {
    const shipments = await list()
    const found = find(shipments)
    if (found !== undefined || performance.now() - startedAt >= timeout) return { found, shipments }
  }
}

/** Opens the locker of a shipment as a person, with the access code of its state. Returns the shipment afterwards. */
export async function openLocker(api: Api, shipment: Shipment, opening: Opening): Promise<Shipment> {
  await createOpeners(api)[opening]({ ...shipment, role: '' })
  const { items } = await api.call('GetShipments', { shipmentUid: shipment.shipmentUid })
  return items[0] ?? shipment
}

export function describeShipment({ shipmentUid, stateCode, lockerName, pupUid }: Shipment): string {
  return `${shipmentUid} ${stateCode}, locker ${lockerName ?? 'none'} at ${pupUid ?? 'none'}`
}
