import type { Api } from '#api'
import type { ResponseOf } from '#contract'

export type Shipment = ResponseOf<'GetShipments'>['items'][number]

/** The person that each state waits for. */
export const turns = {
  ReadyForDropOff: { user: 'fromUserUid', act: 'dropOff' },
  ReadyForPickup: { user: 'toUserUid', act: 'pickUp' },
} as const

const pageSize = 500

/** Lists the shipments whose locker waits for a person, the newest first. */
export async function listReady(api: Api): Promise<readonly Shipment[]> {
  const shipmentState = Object.keys(turns)
  const found: Shipment[] = []
  for (let pageNo = 1; ; pageNo++) {
    const page = await api.call('GetShipments', { shipmentState, pageNo, pageSize, sortBy: 'ActivityDesc' })
    found.push(...page.items)
    if (pageNo >= page.totalPages) return found
  }
}
