import type { StoreTransaction } from '../store/index.ts'

/** The entries that topologies have removed. Each set has ids of the table `removals`. */
export interface Removed {
  readonly pickUpPoints: ReadonlySet<string>
  readonly lockers: ReadonlySet<string>
  readonly access: ReadonlySet<string>
}

/** The id of the access of a tenant to a pick up point. */
export function toAccessId(pupUid: string, tenantId: string): string {
  return `${pupUid} ${tenantId}`
}

export async function readRemoved(tx: StoreTransaction): Promise<Removed> {
  const rows = await tx
    .selectFrom('removals')
    .select(['kind', 'id'])
    .where('kind', 'in', ['pickUpPoint', 'locker', 'access'])
    .execute()
  const idsOf = (kind: string) => new Set(rows.filter(row => row.kind === kind).map(({ id }) => id))
  return { pickUpPoints: idsOf('pickUpPoint'), lockers: idsOf('locker'), access: idsOf('access') }
}
