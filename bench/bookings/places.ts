import type { Topology } from '../../service/topology/index.ts'

const pointCount = 100
const lockerCount = 200

export const credentials = { clientId: 'bench', clientSecret: 'bench-secret' }

/** Lockers of one size at pick up points of one tenant. */
export const topologyWith = (lockersAtEach: number, pickUpPoints = pointCount): Topology => ({
  tenants: [
    {
      name: 'bench',
      dispatcher: { userName: 'bench', emailAddress: 'bench@bench.example', firstName: 'Ben', lastName: 'Bench' },
      clients: [credentials],
    },
  ],
  pickUpPoints: Array.from({ length: pickUpPoints }, (_, at) => ({
    pupUid: `pup-${at}`,
    name: `Point ${at}`,
    timeZone: 'Europe/Amsterdam',
    tenants: ['bench'],
    lockers: rangesOf(lockersAtEach).map(names => ({ names, width: 40, height: 40, length: 60 })),
  })),
})

/** A range of lockers in the topology has at most a thousand. */
function rangesOf(count: number): string[] {
  return Array.from(
    { length: Math.ceil(count / 1_000) },
    (_, at) => `${at * 1_000 + 1}-${Math.min(count, (at + 1) * 1_000)}`,
  )
}

/** Twenty thousand lockers. */
export const topology = topologyWith(lockerCount)

/** The n-th booking of a run; bookings are spread evenly over the pick up points. */
export function bookingAt(n: number) {
  return {
    PupUid: `pup-${n % pointCount}`,
    AllowLargerLockers: true,
    AllowOverflowLockers: false,
    Dimension: { width: 30, height: 20, length: 40 },
  }
}

/** The number of lockers, and so of bookings. */
export const capacity = pointCount * lockerCount

/** The uids of the pick up points. */
export function points(): string[] {
  return topology.pickUpPoints.map(({ pupUid }) => pupUid)
}

/** The names of the lockers at each pick up point. */
export function lockerNames(): string[] {
  return Array.from({ length: lockerCount }, (_, at) => String(at + 1))
}
