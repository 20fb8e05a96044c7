/**
 * The states of a shipment, spelled as they go over the wire (specification, States and transitions).
 * `rank` orders two states that started at the same moment.
 */
export const states = {
  WaitForPriorShipment: { rank: 0, final: false, holdsItem: false },
  ReadyForDropOff: { rank: 1, final: false, holdsItem: false },
  WaitForReceiver: { rank: 2, final: false, holdsItem: true },
  ReadyForPickup: { rank: 3, final: false, holdsItem: true },
  Completed: { rank: 4, final: true, holdsItem: false },
  Cancelled: { rank: 5, final: true, holdsItem: false },
} as const

export type StateCode = keyof typeof states

export const stateCodes = Object.keys(states) as StateCode[]
export const activeStates = stateCodes.filter(code => !states[code].final)

const byFoldedSpelling = new Map(stateCodes.map(code => [code.toLowerCase(), code]))

/** The state that a text from the wire means, whatever its casing; undefined when it is none of ours. */
export function readStateCode(text: string): StateCode | undefined {
  return byFoldedSpelling.get(text.toLowerCase())
}
