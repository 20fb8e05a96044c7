import { declaredLockers, lockerNames } from './lockers.ts'
import type { DeclaredPickUpPoint, Topology } from './shape.ts'

type Path = readonly (string | number)[]
/** A place in a topology and what is wrong there. */
export interface Fault {
  readonly path: Path
  readonly message: string
}
type Named = readonly [name: string, path: Path]

/** What no field can tell by itself: names given twice, and names of what is not there. */
export function crossReferences(declared: Topology): readonly Fault[] {
  const points = declared.pickUpPoints.map((point, at) => ({ point, path: ['pickUpPoints', at] }))
  const pupUids = declared.pickUpPoints.map(({ pupUid }) => pupUid)
  const tenantNames = declared.tenants.map(({ name }) => name)
  return [
    ...tenantFaults(declared),
    ...givenTwice(points.map(({ point, path }) => [point.pupUid, [...path, 'pupUid']])),
    ...points.flatMap(({ point, path }) => unknownTenants(point, path, tenantNames)),
    ...points.flatMap(({ point, path }) => overflowFaults(point, path, pupUids)),
    ...points.flatMap(({ point, path }) => lockerFaults(point, path)),
    ...givenTwice(points.flatMap(({ point, path }) => lockersAt(point, path).map(({ uid, at }): Named => [uid, at]))),
  ]
}

function tenantFaults({ tenants, pickUpPoints }: Topology): readonly Fault[] {
  const served = new Set(pickUpPoints.flatMap(point => point.tenants))
  const all = tenants.map((tenant, at) => ({ tenant, path: ['tenants', at] }))
  return [
    ...givenTwice(all.map(({ tenant, path }) => [tenant.name, [...path, 'name']])),
    ...givenTwice(
      all.map(({ tenant, path }) => [tenant.dispatcher.userName.toLowerCase(), [...path, 'dispatcher', 'userName']]),
    ),
    ...givenTwice(
      all.map(({ tenant, path }) => [
        tenant.dispatcher.emailAddress.toLowerCase(),
        [...path, 'dispatcher', 'emailAddress'],
      ]),
    ),
    ...givenTwice(
      all.flatMap(({ tenant, path }) =>
        tenant.clients.map(({ clientId }, at): Named => [clientId, [...path, 'clients', at, 'clientId']]),
      ),
    ),
    // The dispatcher's account needs a main pick up point.
    ...all.flatMap(({ tenant, path }) =>
      served.has(tenant.name) ? [] : [{ path, message: `no pick up point names the tenant ${tenant.name}` }],
    ),
  ]
}

function unknownTenants(point: DeclaredPickUpPoint, path: Path, known: readonly string[]): readonly Fault[] {
  return point.tenants.flatMap((tenant, at) =>
    known.includes(tenant) ? [] : [{ path: [...path, 'tenants', at], message: `there is no tenant ${tenant}` }],
  )
}

function overflowFaults({ pupUid, overflowPupUid }: DeclaredPickUpPoint, at: Path, known: readonly string[]): Fault[] {
  const path = [...at, 'overflowPupUid']
  if (overflowPupUid === undefined) return []
  if (overflowPupUid === pupUid) return [{ path, message: 'has to be another pick up point' }]
  return known.includes(overflowPupUid) ? [] : [{ path, message: `there is no pick up point ${overflowPupUid}` }]
}

function lockerFaults(point: DeclaredPickUpPoint, path: Path): readonly Fault[] {
  const lines = point.lockers.flatMap(({ names, lockerUid }, at): Fault[] => {
    const meant = lockerNames(names)
    if (meant.length === 0) return [{ path: [...path, 'lockers', at, 'names'], message: 'has to be a range like 1-8' }]
    if (lockerUid === undefined || meant.length === 1) return []
    return [{ path: [...path, 'lockers', at, 'lockerUid'], message: 'cannot be given to several lockers' }]
  })
  const lockers = lockersAt(point, path)
  const long = lockers.filter(({ uid }) => uid.length > 64)
  return [
    ...lines,
    ...givenTwice(lockers.map(({ name, at }) => [name, at])),
    ...long.map(({ uid, at }) => ({ path: at, message: `${uid} is longer than 64 characters; give a lockerUid` })),
  ]
}

function lockersAt(point: DeclaredPickUpPoint, path: Path) {
  return declaredLockers(point).map(({ line, ...locker }) => ({ ...locker, at: [...path, 'lockers', line, 'names'] }))
}

function givenTwice(names: readonly Named[]): readonly Fault[] {
  const seen = new Set<string>()
  return names.flatMap(([name, path]) => {
    if (seen.has(name)) return [{ path, message: `${name} is given twice` }]
    seen.add(name)
    return []
  })
}
