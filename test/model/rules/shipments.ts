import { changeDeliveryCode, changePickUpCode } from '../model/make.ts'
import { newName } from '../model/model.ts'
import { refuse } from '../model/refusal.ts'
import { cancel, enterState, isActive, setReceiver } from '../model/states.ts'
import { anyUser, ownShipment } from '../model/who.ts'
import type { Rules } from './rule.ts'

export const shipments: Rules<
  | 'SetShipmentDetails'
  | 'AddShipmentObject'
  | 'RemoveShipmentObject'
  | 'SetShipmentReceiver'
  | 'CancelShipment'
  | 'GetShipmentAccessCode'
> = {
  SetShipmentDetails(model, { shipmentUid, ReferenceNo, ReferenceCaseNo, Description }, { tenant }) {
    const shipment = ownShipment(model, tenant, shipmentUid)
    if (!isActive(shipment)) refuse('InvalidShipmentState')
    shipment.referenceNo = ReferenceNo
    shipment.referenceCaseNo = ReferenceCaseNo
    shipment.description = Description || null
    shipment.activity = model.now
    return {}
  },

  AddShipmentObject(model, { shipmentUid, details, changePickUpAccess, changeDropOffAccess }, { tenant }) {
    const shipment = ownShipment(model, tenant, shipmentUid)
    if (!isActive(shipment)) refuse('InvalidShipmentState')
    const { referenceNo = null, description = null, weight = null, count = null, dimension = null } = details
    const shipmentObjectUid = newName(model, 'object')
    shipment.objects.push({ shipmentObjectUid, referenceNo, description, weight, count, dimension })
    shipment.activity = model.now
    if (changePickUpAccess === true) changePickUpCode(model, shipment)
    if (changeDropOffAccess === true) changeDeliveryCode(model, shipment)
    return { shipmentUid, shipmentObjectUid }
  },

  RemoveShipmentObject(model, { shipmentUid, shipmentObjectUid }, { tenant }) {
    const shipment = ownShipment(model, tenant, shipmentUid)
    const others = shipment.objects.filter(object => object.shipmentObjectUid !== shipmentObjectUid)
    if (others.length === shipment.objects.length) refuse('InvalidShipmentObject')
    if (!isActive(shipment)) refuse('InvalidShipmentState')
    shipment.objects = others
    shipment.activity = model.now
    return { shipmentUid, shipmentObjectUid }
  },

  SetShipmentReceiver(model, { shipmentUid, toUserUid, caseReferenceNew, removeReceiver }, { tenant }) {
    const shipment = ownShipment(model, tenant, shipmentUid)
    const receiver = removeReceiver === true ? null : anyUser(model, toUserUid ?? '')
    const hasReceiver = shipment.to !== null
    if (!isActive(shipment) || shipment.state === 'ReadyForPickup' || hasReceiver !== (receiver === null))
      refuse('InvalidShipmentState')
    if (receiver === null) shipment.to = null
    else setReceiver(model, shipment, receiver)
    shipment.activity = model.now
    if (receiver !== null) shipment.referenceCaseNo = caseReferenceNew ?? shipment.referenceCaseNo
    if (shipment.state === 'WaitForReceiver') enterState(model, shipment, 'ReadyForPickup')
    return {}
  },

  CancelShipment(model, { shipmentUid }, { tenant }) {
    const shipment = ownShipment(model, tenant, shipmentUid)
    if (!isActive(shipment)) refuse('InvalidShipmentState')
    cancel(model, shipment)
    return {}
  },

  GetShipmentAccessCode(model, { shipmentUid }, { tenant }) {
    const shipment = ownShipment(model, tenant, shipmentUid)
    const { pickUpCode, deliveryCode } = shipment
    return isActive(shipment)
      ? { shipmentUid, pickUpCode, deliveryCode }
      : { shipmentUid, pickUpCode: null, deliveryCode: null }
  },
}
