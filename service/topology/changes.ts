import type { Store } from '../store/index.ts'

type Entry = 'tenant' | 'client' | 'pickUpPoint' | 'locker' | 'access'

/** One difference between a store before and after a topology. */
export interface TopologyChange {
  /**
   * - retired: takes no new bookings from now on.
   * - revived: takes bookings again.
   * - removed: deleted, since nothing refers to it.
   * - refused: retired, and not removed while it is used.
   * - kept: the file does not declare it, and it stays as it is.
   */
  readonly change: 'added' | 'changed' | 'retired' | 'revived' | 'removed' | 'refused' | 'kept'
  readonly entry: Entry
  readonly id: string
  /** The changed columns, or the reason of a refusal. */
  readonly detail?: string
}

type Row = Readonly<Record<string, unknown>>

/** The rows that a topology may change, by entry and id. */
export type TopologySnapshot = ReadonlyMap<string, Row>

/** Columns that show no decision of a topology. */
const ignored = new Set([
  'booked',
  'closed',
  'door_lease_id',
  'door_lease_expires_at',
  'position',
  'volume',
  'retired_at',
])
const derived = /^side_/

/** Reads the rows that a topology may change. Secrets appear as their number and their ends only. */
export async function readSnapshot(store: Store): Promise<TopologySnapshot> {
  const tenants = await store.selectFrom('tenants').select('tenant_id').orderBy('tenant_id').execute()
  const clients = await store.selectFrom('clients').select(['client_id', 'tenant_id']).orderBy('client_id').execute()
  const secrets = await store.selectFrom('client_secrets').selectAll().orderBy('created_at').execute()
  const points = await store.selectFrom('pick_up_points').selectAll().orderBy('pup_uid').execute()
  const lockers = await store.selectFrom('lockers').selectAll().orderBy('pup_uid').orderBy('position').execute()
  const access = await store
    .selectFrom('pick_up_point_tenants')
    .selectAll()
    .orderBy('pup_uid')
    .orderBy('tenant_id')
    .execute()
  const secretsOf = (clientId: string) =>
    JSON.stringify(secrets.filter(row => row.client_id === clientId).map(row => [row.secret_salt, row.expires_at]))
  return new Map<string, Row>([
    ...tenants.map(row => [toKey('tenant', row.tenant_id), row] as const),
    ...clients.map(row => [toKey('client', row.client_id), { ...row, secrets: secretsOf(row.client_id) }] as const),
    ...points.map(row => [toKey('pickUpPoint', row.pup_uid), row] as const),
    ...lockers.map(row => [toKey('locker', row.locker_uid), row] as const),
    ...access.map(row => [toKey('access', `${row.pup_uid} ${row.tenant_id}`), row] as const),
  ])
}

/** Compares two snapshots: entries of the later one in its order, and then those that are gone. */
export function compareSnapshots(before: TopologySnapshot, after: TopologySnapshot): readonly TopologyChange[] {
  const present = [...after].flatMap(([key, row]): TopologyChange[] => {
    const earlier = before.get(key)
    if (earlier === undefined) return [{ change: 'added', ...fromKey(key) }]
    const columns = Object.keys(row).filter(
      column => !ignored.has(column) && !derived.test(column) && row[column] !== earlier[column],
    )
    return [
      ...(columns.length > 0 ? [{ change: 'changed', ...fromKey(key), detail: columns.join(', ') } as const] : []),
      ...((row.retired_at ?? null) !== null && (earlier.retired_at ?? null) === null
        ? [{ change: 'retired', ...fromKey(key) } as const]
        : []),
      ...((row.retired_at ?? null) === null && (earlier.retired_at ?? null) !== null
        ? [{ change: 'revived', ...fromKey(key) } as const]
        : []),
    ]
  })
  const gone = [...before.keys()].filter(key => !after.has(key))
  return [...present, ...gone.map(key => ({ change: 'removed', ...fromKey(key) }) as const)]
}

export function toKey(entry: Entry, id: string): string {
  return `${entry}:${id}`
}

/** An entry and its id. Ids may contain colons, entries do not. */
export function fromKey(key: string): Pick<TopologyChange, 'entry' | 'id'> {
  const colon = key.indexOf(':')
  return { entry: key.slice(0, colon) as Entry, id: key.slice(colon + 1) }
}
