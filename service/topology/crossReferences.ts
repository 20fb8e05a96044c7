import { toTextKey } from '../textKey.ts'
import { declaredLockers, findRangeProblem, lockerNames } from './lockers.ts'
import type { DeclaredPickUpPoint, Topology } from './shape.ts'

type Path = readonly (string | number)[]
export interface TopologyIssue {
  readonly path: Path
  readonly message: string
}
type Named = readonly [name: string, path: Path]

/** Checks rules across fields: duplicate names and references to unknown entities. */
export function checkCrossReferences(declared: Topology): readonly TopologyIssue[] {
  const points = declared.pickUpPoints.map((point, at) => ({ point, path: ['pickUpPoints', at] }))
  const pupUids = declared.pickUpPoints.map(({ pupUid }) => pupUid)
  const tenantNames = declared.tenants.map(({ name }) => name)
  return [
    ...checkTenants(declared),
    ...findDuplicates(points.map(({ point, path }) => [point.pupUid, [...path, 'pupUid']])),
    ...points.flatMap(({ point, path }) => checkTenantNames(point, path, tenantNames)),
    ...points.flatMap(({ point, path }) => checkOverflow(point, path, pupUids)),
    ...points.flatMap(({ point, path }) => checkLockers(point, path)),
    ...findDuplicates(
      points.flatMap(({ point, path }) => locateLockers(point, path).map(({ uid, at }): Named => [uid, at])),
    ),
  ]
}

/** The message for a tenant without a pick up point. */
export function noPickUpPoint(tenant: string): string {
  return `no pick up point lists the tenant ${tenant}`
}

function checkTenants({ tenants, pickUpPoints }: Topology): readonly TopologyIssue[] {
  const served = new Set(pickUpPoints.flatMap(point => point.tenants))
  const all = tenants.map((tenant, at) => ({ tenant, path: ['tenants', at] }))
  return [
    ...findDuplicates(all.map(({ tenant, path }) => [tenant.name, [...path, 'name']])),
    ...findDuplicates(
      all.map(({ tenant, path }) => [toTextKey(tenant.dispatcher.userName), [...path, 'dispatcher', 'userName']]),
    ),
    ...findDuplicates(
      all.map(({ tenant, path }) => [
        toTextKey(tenant.dispatcher.emailAddress),
        [...path, 'dispatcher', 'emailAddress'],
      ]),
    ),
    ...findDuplicates(
      all.flatMap(({ tenant, path }) =>
        tenant.clients.map(({ clientId }, at): Named => [clientId, [...path, 'clients', at, 'clientId']]),
      ),
    ),
    // The dispatcher's account requires a main pick up point.
    ...all.flatMap(({ tenant, path }) =>
      served.has(tenant.name) ? [] : [{ path, message: noPickUpPoint(tenant.name) }],
    ),
  ]
}

function checkTenantNames(
  point: DeclaredPickUpPoint,
  path: Path,
  tenantNames: readonly string[],
): readonly TopologyIssue[] {
  return point.tenants.flatMap((tenant, at) =>
    tenantNames.includes(tenant)
      ? []
      : [{ path: [...path, 'tenants', at], message: `must be a declared tenant, got "${tenant}"` }],
  )
}

function checkOverflow(
  { pupUid, overflowPupUid }: DeclaredPickUpPoint,
  at: Path,
  pupUids: readonly string[],
): TopologyIssue[] {
  const path = [...at, 'overflowPupUid']
  if (overflowPupUid === undefined) return []
  if (overflowPupUid === pupUid) return [{ path, message: 'must be another pick up point' }]
  return pupUids.includes(overflowPupUid)
    ? []
    : [{ path, message: `must be a declared pick up point, got "${overflowPupUid}"` }]
}

function checkLockers(point: DeclaredPickUpPoint, path: Path): readonly TopologyIssue[] {
  const lines = point.lockers.flatMap(({ names, lockerUid }, at): TopologyIssue[] => {
    const problem = findRangeProblem(names)
    if (problem !== undefined) return [{ path: [...path, 'lockers', at, 'names'], message: problem }]
    if (lockerUid === undefined || lockerNames(names).length === 1) return []
    return [{ path: [...path, 'lockers', at, 'lockerUid'], message: 'must not be set for several lockers' }]
  })
  const lockers = locateLockers(point, path)
  const long = lockers.filter(({ uid }) => uid.length > 64)
  return [
    ...lines,
    ...findDuplicates(lockers.map(({ name, at }) => [name, at])),
    ...long.map(({ uid, at }) => ({ path: at, message: `${uid} must have at most 64 characters; set a lockerUid` })),
  ]
}

function locateLockers(point: DeclaredPickUpPoint, path: Path) {
  return declaredLockers(point).map(({ line, ...locker }) => ({ ...locker, at: [...path, 'lockers', line, 'names'] }))
}

function findDuplicates(names: readonly Named[]): readonly TopologyIssue[] {
  const seen = new Set<string>()
  return names.flatMap(([name, path]) => {
    if (seen.has(name)) return [{ path, message: `${name} must be unique` }]
    seen.add(name)
    return []
  })
}
