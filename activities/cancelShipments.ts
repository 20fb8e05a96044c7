import { type Api, ApiRefusal } from '#api'
import { readStateCode, states } from '#contract/terms'
import { translated } from './failures.ts'
import type { CancelShipmentsOrder, CleanedShipment } from './interface.ts'
import { readShipment } from './shipments.ts'

const itemInside = 'there is an item in the locker'

/**
 * Cancels the shipments that hold no item. Each is looked at first, since what the flow last heard may be old and
 * software must not free a locker that is not empty. Repeating it does no harm.
 */
export async function cancelShipments(
  api: Api,
  { shipments, profile }: CancelShipmentsOrder,
): Promise<CleanedShipment[]> {
  return translated(async () => {
    const cleaned: CleanedShipment[] = []
    for (const { shipmentUid, stateCode } of shipments) {
      const now = profile.reads ? (await readShipment(api, shipmentUid))?.stateCode : stateCode
      cleaned.push(await clean(api, shipmentUid, now))
    }
    return cleaned
  })
}

async function clean(api: Api, shipmentUid: string, stateCode: string | undefined): Promise<CleanedShipment> {
  if (stateCode === undefined) return { shipmentUid, stateCode: 'Unknown', left: 'the service does not know it' }
  const state = readStateCode(stateCode)
  if (state === undefined) return { shipmentUid, stateCode, left: `its state ${stateCode} is not one that we know` }
  if (states[state].final) return { shipmentUid, stateCode, left: null }
  if (states[state].holdsItem) return { shipmentUid, stateCode, left: itemInside }
  try {
    await api.call('CancelShipment', { shipmentUid })
    return { shipmentUid, stateCode: 'Cancelled', left: null }
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error
    // It ended, or an item came in, since we looked; the state it has now says which.
    const now = await readShipment(api, shipmentUid)
    const state = readStateCode(now?.stateCode ?? '')
    if (now !== undefined && state !== undefined && states[state].final) {
      return { shipmentUid, stateCode: state, left: null }
    }
    return { shipmentUid, stateCode: now?.stateCode ?? stateCode, left: `the service refused: ${error.code}` }
  }
}
