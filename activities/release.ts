import { type Api, ApiRefusal } from '#api'
import { readStateCode, states } from '#contract/terms'
import { orLeft, refusedBy } from './cancelShipments.ts'
import { translated } from './failures.ts'
import type { CleanedShipment, ReleaseOrder } from './interface.ts'
import { readShipment } from './shipments.ts'

/**
 * Ends a booking that was kept. It is not looked at first: whoever releases it answers for an empty locker, and the
 * state of a kept booking does not tell. What the service refuses is left, with the reason. Repeating it does no harm.
 */
export async function release(api: Api, { shipmentUid, stateCode, profile }: ReleaseOrder): Promise<CleanedShipment> {
  return translated(() =>
    orLeft(shipmentUid, stateCode, async () => {
      try {
        await api.call('CancelShipment', { shipmentUid })
        return { shipmentUid, stateCode: 'Cancelled', left: null }
      } catch (error) {
        if (!(error instanceof ApiRefusal) || !profile.reads) throw error
        // An attempt without an answer came through, or somebody else was faster: the state says so.
        const now = (await readShipment(api, shipmentUid))?.stateCode ?? stateCode
        const state = readStateCode(now)
        const isEnded = state !== undefined && states[state].final
        return { shipmentUid, stateCode: state ?? now, left: isEnded ? null : refusedBy(error.code) }
      }
    }),
  )
}
