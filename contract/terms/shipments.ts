/** Shipment types on the wire (specification, Resources: Shipment). */
export const shipmentTypes = {
  local: 'LocalPupShipment',
  collectOnly: 'CollectOnlyShipment',
} as const

/** The type of a shipment (specification, Resources: Shipment). */
export type ShipmentType = (typeof shipmentTypes)[keyof typeof shipmentTypes]

/**
 * How a shipment comes after a prior one, whose locker it shares (specification, Resources: Shipment).
 *
 * - swap: dropped off in the opening in which the prior one is picked up, with the prior one's pick up code.
 * - subsequent: the same user brings the item back once the prior one is completed.
 * - circular: the prior one's item becomes the stock of this one as soon as it is dropped off.
 */
export const links = ['swap', 'subsequent', 'circular'] as const

export type Link = (typeof links)[number]

/**
 * The states of a shipment, spelled as they go over the wire (specification, States and transitions).
 * The machine of a shipment defines which can follow which.
 *
 * ```ts
 * const isEnded = (code: StateCode) => states[code].final
 * ```
 */
export const states = {
  WaitForPriorShipment: { final: false, holdsItem: false },
  ReadyForDropOff: { final: false, holdsItem: false },
  WaitForReceiver: { final: false, holdsItem: true },
  ReadyForPickup: { final: false, holdsItem: true },
  Completed: { final: true, holdsItem: false },
  Cancelled: { final: true, holdsItem: false },
} as const

/** A state of a shipment (specification, States and transitions). */
export type StateCode = keyof typeof states

export const stateCodes = Object.keys(states) as StateCode[]
export const activeStates = stateCodes.filter(code => !states[code].final)

const byFoldedSpelling = new Map(stateCodes.map(code => [code.toLowerCase(), code]))

/** Parses a state in any casing; returns undefined for an unknown one. */
export function readStateCode(text: string): StateCode | undefined {
  return byFoldedSpelling.get(text.toLowerCase())
}

/** False for an unknown state. */
export function isFinalState(stateCode: string): boolean {
  const state = readStateCode(stateCode)
  return state !== undefined && states[state].final
}

/** False for an unknown state. */
export function holdsItem(stateCode: string): boolean {
  const state = readStateCode(stateCode)
  return state !== undefined && states[state].holdsItem
}
