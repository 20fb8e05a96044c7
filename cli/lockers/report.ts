import type { PickUpPointEntry, ServiceChanged } from '#service'
import { plain } from '../flow/text.ts'

type Entry = Pick<PickUpPointEntry, 'outOfService' | 'isRetired'>

/** Describes pick up points, one line each, and below them the lockers that take no bookings, or all of them. */
export function formatLockers(points: readonly PickUpPointEntry[], all: boolean): string[] {
  return points.flatMap(({ lockers, ...point }) => {
    const free = lockers.filter(locker => !locker.isBooked && isOpen(locker) && isOpen(point)).length
    return [
      `${point.pupUid}  ${point.name}  ${free} of ${lockers.length} lockers free${state(point)}`,
      ...lockers
        .filter(locker => all || !isOpen(locker))
        .map(locker => `  ${locker.name}${locker.isBooked ? '  booked' : ''}${state(locker)}`),
    ]
  })
}

/** Describes a change and the bookings that it concerns. */
export function formatChange(
  act: 'out-of-service' | 'in-service',
  { pupUid, lockerName, changed, shipments }: ServiceChanged,
): string[] {
  const subject = lockerName === undefined ? pupUid : `locker ${lockerName} of ${pupUid}`
  const state = act === 'in-service' ? 'in service' : 'out of service'
  return [
    `${subject} ${changed ? 'is' : 'was already'} ${state}`,
    ...(shipments.length === 0 ? ['no active shipments'] : ['active shipments:']),
    ...shipments.map(
      ({ tenantId, shipmentUid, stateCode, lockerName: locker, referenceCaseNo }) =>
        `  ${tenantId}  ${shipmentUid}  ${stateCode}  locker ${locker}${referenceCaseNo === null ? '' : `  case ${plain(referenceCaseNo)}`}`,
    ),
  ]
}

function isOpen({ outOfService, isRetired }: Entry): boolean {
  return outOfService === null && !isRetired
}

function state({ outOfService, isRetired }: Entry): string {
  const broken = outOfService === null ? '' : `  out of service since ${outOfService.since}: ${outOfService.reason}`
  return `${broken}${isRetired ? '  retired' : ''}`
}
