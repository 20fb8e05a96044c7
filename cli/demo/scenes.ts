import type { FlowName } from '#flows'

/** One opened locker in a step of a flow. */
export interface Step {
  readonly stage: string
  readonly caption: string
  readonly action: 'dropOff' | 'pickUp'
  readonly role: string
}

/** A flow of the demonstration: its request, the steps of the people, and the final states. */
export interface Scene {
  readonly flow: FlowName
  readonly caseNo: string
  readonly request: Record<string, unknown>
  readonly steps: readonly Step[]
  /** State of each role's shipment at the end. */
  readonly finalStates: Readonly<Record<string, string>>
}

const parcel = {
  PupUid: 'pup-1',
  AllowLargerLockers: true,
  AllowOverflowLockers: true,
  Dimension: { width: 30, height: 15, length: 40 },
}

/** A drill goes into stock. */
export function stockScene(): Scene {
  return {
    flow: 'stock',
    caseNo: 'S-1001',
    request: { ...parcel, Details: { Description: 'A drill, for the shelf' } },
    steps: [{ stage: 'dropOff', role: 'stock', action: 'dropOff', caption: 'the dispatcher puts the drill in' }],
    finalStates: { stock: 'WaitForReceiver' },
  }
}

/** The drill is lent: issued, brought back, and stock again. */
export function loanScene(stockShipmentUid: string, userUid: string): Scene {
  return {
    flow: 'issueFromStockAndSubsequentIntakeAndCircularStock',
    caseNo: 'L-2001',
    request: { PriorShipmentUid: stockShipmentUid, ToUserUid: userUid },
    steps: [
      { stage: 'pickUp', role: 'issue', action: 'pickUp', caption: 'Robin takes the drill out' },
      { stage: 'return', role: 'intake', action: 'dropOff', caption: 'Robin brings the drill back' },
    ],
    finalStates: { issue: 'Completed', intake: 'Completed', stock: 'ReadyForPickup' },
  }
}

/** The drill that came back is issued again. */
export function issueScene(stockShipmentUid: string, userUid: string): Scene {
  return {
    flow: 'issueFromStock',
    caseNo: 'I-3001',
    request: { PriorShipmentUid: stockShipmentUid, ToUserUid: userUid },
    steps: [{ stage: 'pickUp', role: 'issue', action: 'pickUp', caption: 'Kim takes the drill out' }],
    finalStates: { issue: 'Completed' },
  }
}

/** A laptop is swapped: the new one is taken out and the old one left in the same opening. */
export function swapScene(userUid: string): Scene {
  return {
    flow: 'issueAndSwapIntake',
    caseNo: 'X-4001',
    request: { ...parcel, ToUserUid: userUid, Details: { Description: 'A laptop for an older one' } },
    steps: [
      { stage: 'dropOff', role: 'issue', action: 'dropOff', caption: 'the dispatcher puts the new laptop in' },
      { stage: 'swap', role: 'issue', action: 'pickUp', caption: 'Robin takes it out and leaves the old one' },
      { stage: 'collect', role: 'intake', action: 'pickUp', caption: 'the dispatcher takes the old laptop out' },
    ],
    finalStates: { issue: 'Completed', intake: 'Completed' },
  }
}
