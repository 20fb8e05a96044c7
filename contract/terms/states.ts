/**
 * The states of a shipment, spelled as they go over the wire (specification, States and transitions).
 * Which can follow which is said by the machines.
 */
export const states = {
  WaitForPriorShipment: { final: false, holdsItem: false },
  ReadyForDropOff: { final: false, holdsItem: false },
  WaitForReceiver: { final: false, holdsItem: true },
  ReadyForPickup: { final: false, holdsItem: true },
  Completed: { final: true, holdsItem: false },
  Cancelled: { final: true, holdsItem: false },
} as const

export type StateCode = keyof typeof states

export const stateCodes = Object.keys(states) as StateCode[]
export const activeStates = stateCodes.filter(code => !states[code].final)

const byFoldedSpelling = new Map(stateCodes.map(code => [code.toLowerCase(), code]))

/** The state that a text from the wire means, whatever its casing; undefined when it is none of ours. */
export function readStateCode(text: string): StateCode | undefined {
  return byFoldedSpelling.get(text.toLowerCase())
}
