import type { ServiceEvent } from '../asks/step.ts'
import type { Model } from './model.ts'
import { isActive } from './states.ts'

/** Returns the model after an operator's event, or the same model if the event changes nothing. */
export function applyServiceEvent(model: Model, { pupUid, lockerName, reason }: ServiceEvent): Model {
  const uid = lockerName === undefined ? pupUid : `${pupUid}:${lockerName}`
  const { [uid]: before, ...others } = model.outOfService
  if ((before?.reason ?? null) === reason) return model
  const state = reason === null ? {} : { [uid]: { reason, since: before?.since ?? model.now } }
  const shipments = model.shipments.map(shipment =>
    isActive(shipment) && [shipment.lockerUid, shipment.pupUid].includes(uid)
      ? { ...shipment, activity: model.now }
      : shipment,
  )
  return { ...model, shipments, outOfService: { ...others, ...state } }
}
