import { type PickUpPoint, topology } from '../places.ts'
import { type Model, type Sides, toUtcWithoutOffset } from './model.ts'
import { refuse } from './refusal.ts'
import { isActive } from './states.ts'
import { managedBy } from './who.ts'

export interface Locker extends Sides {
  readonly lockerUid: string
  readonly pupUid: string
  readonly name: string
}

export interface Wanted {
  readonly Dimension: Sides
  readonly AllowLargerLockers: boolean
  readonly AllowOverflowLockers: boolean
  readonly LockerUid?: string | null | undefined
}

export const lockers: readonly Locker[] = topology.pickUpPoints.flatMap(({ pupUid, lockers: declared }) =>
  declared.map(({ names, width, height, length }) => {
    return { lockerUid: `${pupUid}:${names}`, pupUid, name: names, width, height, length }
  }),
)

export const lockersAt = (pupUid: string) => lockers.filter(locker => locker.pupUid === pupUid)
export const volume = ({ width, height, length }: Sides) => width * height * length

/** True if the item fits in some orientation. */
export function fits(item: Sides, locker: Sides): boolean {
  const [a, b] = [item, locker].map(({ width, height, length }) => [width, height, length].sort((x, y) => x - y))
  return a?.every((side, index) => side <= (b?.[index] ?? 0)) ?? false
}

export function isBooked(model: Model, lockerUid: string): boolean {
  return model.shipments.some(shipment => shipment.lockerUid === lockerUid && isActive(shipment))
}

type Place = Pick<Locker, 'lockerUid' | 'pupUid'>

/** The state of a locker, or else that of its pick up point; null while it is in service. */
export function findOutOfService({ outOfService }: Model, { lockerUid, pupUid }: Place) {
  return describeOutOfService(outOfService[lockerUid] ?? outOfService[pupUid])
}

export function describeOutOfService(found: Model['outOfService'][string] | undefined) {
  return found === undefined ? null : { reason: found.reason, since: toUtcWithoutOffset(found.since) }
}

/** @throws Refusal while the locker or its pick up point is out of service */
export function expectInService(model: Model, place: Place): void {
  if (findOutOfService(model, place) !== null) refuse('LockerOutOfService')
}

const isFree = (model: Model, locker: Locker) =>
  !isBooked(model, locker.lockerUid) && findOutOfService(model, locker) === null

/** The free lockers of those given. */
export const freeOf = (model: Model, among: readonly Locker[]) => among.filter(locker => isFree(model, locker))

/**
 * The lockers that the service may choose from.
 * @throws Refusal if no locker can be booked
 */
export function lockersFor(model: Model, tenant: string, point: PickUpPoint, wanted: Wanted): readonly Locker[] {
  const here = lockersAt(point.pupUid)
  if (wanted.LockerUid != null) {
    const that = here.find(({ lockerUid }) => lockerUid === wanted.LockerUid) ?? refuse('InvalidLocker')
    expectInService(model, that)
    if (!fits(wanted.Dimension, that)) refuse('InvalidDimension')
    return isBooked(model, that.lockerUid) ? refuse('NoLockerAvailable') : [that]
  }
  const overflow = managedBy(tenant).filter(({ pupUid }) => pupUid === point.overflowPupUid)
  const points = [point, ...(wanted.AllowOverflowLockers ? overflow : [])]
  for (const { pupUid } of points) {
    const found = smallest(model, pupUid, wanted)
    if (found.length > 0) return found
  }
  const all = points.flatMap(({ pupUid }) => lockersAt(pupUid))
  return refuse(all.some(locker => fits(wanted.Dimension, locker)) ? 'NoLockerAvailable' : 'InvalidDimension')
}

/** The free lockers of the smallest size that fits. */
function smallest(model: Model, pupUid: string, { Dimension, AllowLargerLockers }: Wanted): readonly Locker[] {
  const fitting = lockersAt(pupUid).filter(locker => fits(Dimension, locker))
  const sizes = [...new Set(fitting.map(volume))].sort((a, b) => a - b)
  for (const size of AllowLargerLockers ? sizes : sizes.slice(0, 1)) {
    const free = freeOf(
      model,
      fitting.filter(locker => volume(locker) === size),
    )
    if (free.length > 0) return free
  }
  return []
}
