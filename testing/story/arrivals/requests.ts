import type { ResponseOf } from '#contract'
import { type Api, ApiFault, ApiRefusal } from '#contract/client'
import type { ErrorCode } from '#contract/terms'
import { openings } from '../openings.ts'

export type Shipment = ResponseOf<'GetShipments'>['items'][number]

/** The person that each state waits for. */
export const turns = {
  ReadyForDropOff: { user: 'fromUserUid', act: openings.ReadyForDropOff },
  ReadyForPickup: { user: 'toUserUid', act: openings.ReadyForPickup },
} as const

const pageSize = 500

const unknownOperation: ErrorCode = 'UnknownOperation'

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

/**
 * True for a service in staging, which has simulated lockers and refuses a pick up point without a name. A service in
 * production does not have the operation.
 * @throws ApiFault when the service does not respond or denies access
 */
export async function isStaging(api: Api): Promise<boolean> {
  try {
    await api.call('SimulateLockerAccess', { pupUid: 'none', lockerName: 'none', pinCode: '000000' })
  } catch (error) {
    if (error instanceof ApiFault && error.code === unknownOperation) return false
    if (!(error instanceof ApiRefusal)) throw error
    return error.code !== unknownOperation
  }
  return true
}
