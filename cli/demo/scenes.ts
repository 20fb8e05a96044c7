import type { Scene } from './scene.ts'

const parcel = {
  PupUid: 'pup-1',
  AllowLargerLockers: true,
  AllowOverflowLockers: true,
  Dimension: { width: 30, height: 15, length: 40 },
}

/** The demonstration: what goes through the lockers of the built-in topology. */
export function scenes(userUid: string): Scene[] {
  return [
    {
      flow: 'stock',
      caseNo: 'S-1001',
      request: { ...parcel, Details: { Description: 'A drill, for the shelf' } },
      acts: [{ stage: 'dropOff', told: 'the dispatcher puts the drill in', done: 'dropOff' }],
      endsWith: { stock: 'WaitForReceiver' },
    },
    {
      flow: 'issue',
      caseNo: 'I-2001',
      request: { ...parcel, ToUserUid: userUid, Details: { Description: 'A laptop, for Robin' } },
      acts: [
        { stage: 'dropOff', told: 'the dispatcher puts the laptop in', done: 'dropOff' },
        { stage: 'pickUp', told: 'Robin takes the laptop out', done: 'pickUp' },
      ],
      endsWith: { issue: 'Completed' },
    },
  ]
}
