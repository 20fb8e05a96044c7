import { type RawBuilder, sql } from 'kysely'
import { activeStates } from '#contract/terms'
import type { StoreTransaction } from '../store/index.ts'

/** The case numbers of a tenant's active shipments, of which there are few. */
export async function readActiveCases(tx: StoreTransaction, tenantId: string): Promise<ReadonlySet<string>> {
  // Null case numbers are dropped below. With a condition here, the database could search by the index of case numbers and
  // read all shipments.
  const rows = await tx
    .selectFrom('shipments')
    .select('reference_case_no')
    .distinct()
    .where('tenant_id', '=', tenantId)
    .where('state_code', 'in', activeStates)
    .execute()
  return new Set(rows.flatMap(({ reference_case_no: caseNo }) => (caseNo === null ? [] : [caseNo])))
}

/** A case is `large` if none of its first shipments is active, and others were not read. */
export type CaseState = 'active' | 'ended' | 'large'

/** Shipments of a case that are read. A case has few, unless a tenant gives the same number to all. */
const readShipments = 20

/** An expression with the state of a case: that of the shipment in the table alias `ended`. */
export function caseStateOf(ended: 'ended'): RawBuilder<CaseState> {
  const column = (name: string) => sql.ref(`${ended}.${name}`)
  return sql<CaseState>`(
    select case when max(first.active) = 1 then 'active' when count(*) > ${readShipments} then 'large' else 'ended' end
    from (
      select case when state_code in (${sql.join(activeStates)}) then 1 else 0 end as active from shipments as other
      where other.tenant_id = ${column('tenant_id')} and other.reference_case_no = ${column('reference_case_no')}
      limit ${readShipments + 1}
    ) as first)`
}
