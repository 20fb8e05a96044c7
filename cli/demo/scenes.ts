import type { Scene } from './scene.ts'

const parcel = {
  PupUid: 'pup-1',
  AllowLargerLockers: true,
  AllowOverflowLockers: true,
  Dimension: { width: 30, height: 15, length: 40 },
}

/** A drill goes into stock. */
export function stocking(): Scene {
  return {
    flow: 'stock',
    caseNo: 'S-1001',
    request: { ...parcel, Details: { Description: 'A drill, for the shelf' } },
    acts: [{ stage: 'dropOff', role: 'stock', done: 'dropOff', told: 'the dispatcher puts the drill in' }],
    endsWith: { stock: 'WaitForReceiver' },
  }
}

/** The drill is lent: issued, brought back, and stock again. */
export function loan(stockShipmentUid: string, userUid: string): Scene {
  return {
    flow: 'issueFromStockAndSubsequentIntakeAndCircularStock',
    caseNo: 'L-2001',
    request: { PriorShipmentUid: stockShipmentUid, ToUserUid: userUid },
    acts: [
      { stage: 'pickUp', role: 'issue', done: 'pickUp', told: 'Robin takes the drill out' },
      { stage: 'return', role: 'intake', done: 'dropOff', told: 'Robin brings the drill back' },
    ],
    endsWith: { issue: 'Completed', intake: 'Completed', stock: 'ReadyForPickup' },
  }
}

/** The drill that came back is issued again. */
export function issuingAgain(stockShipmentUid: string, userUid: string): Scene {
  return {
    flow: 'issueFromStock',
    caseNo: 'I-3001',
    request: { PriorShipmentUid: stockShipmentUid, ToUserUid: userUid },
    acts: [{ stage: 'pickUp', role: 'issue', done: 'pickUp', told: 'Kim takes the drill out' }],
    endsWith: { issue: 'Completed' },
  }
}

/** A laptop is swapped: the new one is taken out and the old one left in the same opening. */
export function swap(userUid: string): Scene {
  return {
    flow: 'issueAndSwapIntake',
    caseNo: 'X-4001',
    request: { ...parcel, ToUserUid: userUid, Details: { Description: 'A laptop for an older one' } },
    acts: [
      { stage: 'dropOff', role: 'issue', done: 'dropOff', told: 'the dispatcher puts the new laptop in' },
      { stage: 'swap', role: 'issue', done: 'pickUp', told: 'Robin takes it out and leaves the old one' },
      { stage: 'collect', role: 'intake', done: 'pickUp', told: 'the dispatcher takes the old laptop out' },
    ],
    endsWith: { issue: 'Completed', intake: 'Completed' },
  }
}
