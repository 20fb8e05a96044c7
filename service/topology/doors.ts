import type { Door } from '../hardware/index.ts'
import { declaredLockers } from './lockers.ts'
import type { Topology } from './shape.ts'

/** The doors of all lockers of a topology, in file order. */
export function listDoors({ pickUpPoints }: Topology): readonly Door[] {
  return pickUpPoints.flatMap(point =>
    declaredLockers(point).map(({ uid, name }) => ({ pupUid: point.pupUid, lockerUid: uid, lockerName: name })),
  )
}
