import { activeStates } from '#contract/terms'
import { auditCall } from '../audit/index.ts'
import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'
import { lockAccountForDelete } from './load.ts'
import { hiddenFields } from './response.ts'

/**
 * Removes an account. Ended shipments keep its uid as a dangling reference; its e-mail address and user name become
 * free. Responses stored for idempotency keys lose its data.
 * @throws OperationError InvalidUserUid; AccountInUse while any tenant has an active shipment from or to it, or if it
 *   is a dispatcher's main account
 */
export async function removeAccount(call: Call, userUid: string): Promise<void> {
  const { user_uid } = await lockAccountForDelete(call, userUid)
  if ((await isDispatcher(call, user_uid)) || (await hasActiveShipment(call, user_uid))) {
    // One message for all causes, because it must not reveal other tenants' shipments.
    throw new OperationError(
      'AccountInUse',
      'userUid must not have active shipments or be the main account of a dispatcher.',
    )
  }
  await hideInStoredResponses(call, user_uid)
  await call.tx.deleteFrom('accounts').where('user_uid', '=', user_uid).execute()
  await auditCall(call, 'account.removed', user_uid)
}

async function isDispatcher({ tx }: Call, userUid: string): Promise<boolean> {
  const tenant = await tx
    .selectFrom('tenants')
    .select('tenant_id')
    .where('dispatcher_user_uid', '=', userUid)
    .executeTakeFirst()
  return tenant !== undefined
}

async function hasActiveShipment({ tx }: Call, userUid: string): Promise<boolean> {
  const shipment = await tx
    .selectFrom('shipments')
    .select('shipment_uid')
    .where(eb => eb.or([eb('from_user_uid', '=', userUid), eb('to_user_uid', '=', userUid)]))
    .where('state_code', 'in', activeStates)
    .limit(1)
    .executeTakeFirst()
  return shipment !== undefined
}

/**
 * Removes an account's data from the responses that are stored for idempotency keys, of all API clients. A repeated
 * request then gets the account as one that the caller does not manage, and creates nothing. Returns the number
 * of responses.
 */
export async function hideInStoredResponses({ tx }: Pick<Call, 'tx'>, userUid: string): Promise<number> {
  const stored = await tx.selectFrom('idempotency').select('body').distinct().where('user_uid', '=', userUid).execute()
  let hidden = 0
  for (const { body } of stored) {
    const hiddenBody = hideAccount(body)
    if (hiddenBody === body) continue
    const { numUpdatedRows } = await tx
      .updateTable('idempotency')
      .set({ body: hiddenBody })
      .where('user_uid', '=', userUid)
      .where('body', '=', body)
      .executeTakeFirst()
    hidden += Number(numUpdatedRows)
  }
  return hidden
}

function hideAccount(body: string): string {
  return JSON.stringify({ ...JSON.parse(body), ...hiddenFields })
}
