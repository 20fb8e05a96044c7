import type { Store } from '../store/index.ts'
import { assertKnown, findPersonAccount, type PersonSelection } from './account.ts'

/** Everything that the store has about a person, as rows by table. */
export interface PersonExport {
  readonly userUid: string
  /** The columns of the account; null if it was removed. */
  readonly account: object | null
  readonly shipments: readonly object[]
  readonly shipmentObjects: readonly object[]
  readonly callbacks: readonly object[]
  readonly responses: readonly object[]
  readonly suggestions: readonly object[]
  readonly audit: readonly object[]
}

/**
 * Exports what is stored about a person; with a tenant, what belongs to that tenant. Access codes are left out, because they
 * open lockers.
 * @throws ArgumentError when the store lacks the uid or the tenant, or the tenant does not manage the account
 */
export async function exportPerson(store: Store, selection: PersonSelection): Promise<PersonExport> {
  const { userUid, tenantId } = selection
  const account = await findPersonAccount(store, selection)
  if (account === undefined) await assertKnown(store, userUid)
  const shipments = await store
    .selectFrom('shipments')
    .selectAll()
    .where(eb => eb.or([eb('from_user_uid', '=', userUid), eb('to_user_uid', '=', userUid)]))
    .$if(tenantId !== undefined, query => query.where('tenant_id', '=', tenantId ?? ''))
    .orderBy('seq')
    .execute()
  const uids = shipments.map(({ shipment_uid }) => shipment_uid)
  const inShipments = uids.length === 0 ? [''] : uids
  return {
    userUid,
    account: account ?? null,
    shipments: shipments.map(({ pick_up_code: _pickUp, delivery_code: _delivery, ...rest }) => rest),
    shipmentObjects: await store
      .selectFrom('shipment_objects')
      .selectAll()
      .where('shipment_uid', 'in', inShipments)
      .orderBy('seq')
      .execute(),
    callbacks: await store
      .selectFrom('outbox')
      .select(['message_id', 'tenant_id', 'created_at', 'body'])
      .where('shipment_uid', 'in', inShipments)
      .orderBy('seq')
      .execute(),
    responses: await store
      .selectFrom('idempotency')
      .innerJoin('clients', 'clients.client_id', 'idempotency.client_id')
      .select(['idempotency.client_id', 'idempotency.created_at', 'idempotency.body'])
      .where('idempotency.user_uid', '=', userUid)
      .$if(tenantId !== undefined, query => query.where('clients.tenant_id', '=', tenantId ?? ''))
      .execute(),
    suggestions: await store
      .selectFrom('suggestions')
      .innerJoin('suggestion_uploads', 'suggestion_uploads.upload_id', 'suggestions.upload_id')
      .selectAll('suggestions')
      .select('suggestion_uploads.tenant_id')
      .where('suggestions.email_key', '=', account?.email_key ?? '')
      .$if(tenantId !== undefined, query => query.where('suggestion_uploads.tenant_id', '=', tenantId ?? ''))
      .execute(),
    audit: await store
      .selectFrom('audit_log')
      .selectAll()
      .where('subject', '=', userUid)
      .$if(tenantId !== undefined, query => query.where('tenant_id', '=', tenantId ?? ''))
      .orderBy('seq')
      .execute(),
  }
}
