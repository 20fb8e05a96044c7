import type { Api } from '#contract/client'
import { holdsItem, isFinalState, readStateCode } from '#contract/terms'
import { leftOverReasons } from '#flows'
import { cancelShipments, leaveOnRefusal } from './cancelShipments.ts'
import { withApplicationFailures } from './failures.ts'
import type { BookedShipment, CleanedShipment, UndoBookingInput } from './interface.ts'
import { readShipment } from './shipments.ts'

/**
 * Undoes a booking that no caller has learned of, whatever its kind: cancels the shipments that it created, and removes
 * the receiver of the stock shipment that it issued. A shipment in the state in which it was created holds no item, not even
 * a collection, which is created as ReadyForPickup. Idempotent.
 */
export async function undoBooking(api: Api, input: UndoBookingInput): Promise<CleanedShipment[]> {
  const { shipments, roles, profile, announced } = input
  const roleOf = ({ role }: BookedShipment) => roles.find(({ name }) => name === role)
  const created = shipments.filter(shipment => roleOf(shipment)?.existing !== true)
  const unusedStates = announced ? [] : toUnusedStates(roles)
  const cancelled = await cancelShipments(api, { shipments: created, profile, unusedStates })
  const stock = shipments.filter(shipment => !created.includes(shipment))
  return [...cancelled, ...(await Promise.all(stock.map(shipment => removeReceiver(api, shipment, input))))]
}

/** The states in which a create leaves the shipments that it makes. */
export function toUnusedStates(roles: readonly { initialState: string; existing?: boolean }[]): string[] {
  return roles.filter(({ existing }) => existing !== true).map(({ initialState }) => initialState)
}

/** The service refuses this once the item is in the locker. The shipment is then left over, with its receiver. */
async function removeReceiver(
  api: Api,
  { shipmentUid, stateCode }: BookedShipment,
  { caseNo, toUserUid, profile, announced }: UndoBookingInput,
): Promise<CleanedShipment> {
  const left = { shipmentUid, stateCode, left: leftOverReasons.existedBefore }
  if (!profile.reads || toUserUid === null || announced) return left
  return withApplicationFailures(() =>
    leaveOnRefusal(shipmentUid, stateCode, async () => {
      const item = await readShipment(api, shipmentUid)
      if (item === undefined) return { ...left, left: leftOverReasons.unknownShipment }
      const state = readStateCode(item.stateCode)
      const current = { shipmentUid, stateCode: state ?? item.stateCode }
      if (isFinalState(item.stateCode) || item.toUserUid === null) return { ...current, left: null }
      // Another program may have issued it meanwhile.
      const isOurs = item.toUserUid === toUserUid && item.referenceCaseNo === caseNo
      if (state === undefined || holdsItem(state) || !isOurs) return { ...current, left: left.left }
      await api.call('SetShipmentReceiver', { shipmentUid, toUserUid, removeReceiver: true })
      return { ...current, left: null }
    }),
  )
}
