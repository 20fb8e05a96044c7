/** Kinds of shipment on the wire (specification, Resources: Shipment). */
export const shipmentTypes = {
  local: 'LocalPupShipment',
  collectOnly: 'CollectOnlyShipment',
} as const

export type ShipmentType = (typeof shipmentTypes)[keyof typeof shipmentTypes]
