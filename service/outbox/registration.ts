import { randomBytes } from 'node:crypto'
import { urlFault } from '#addresses'
import type { ReadRequestOf, ResponseOf } from '#contract'
import { type Call, Refusal } from '../operations/call.ts'
import { withRowLock } from '../store/rowLocks.ts'
import type { TenantRow } from '../store/tables.ts'

type Request = ReadRequestOf<'ConfigureCallback'>

/**
 * Sets the tenant's callback address and key (docs/decisions.md, Callback: Registration). Whoever registers is there
 * to receive, so what waited for a retry is due at once.
 * @throws Refusal InvalidCallbackUrl
 */
export async function registerCallback(call: Call, request: Request): Promise<ResponseOf<'ConfigureCallback'>> {
  const { tx, tenantId, now } = call
  // Held: of two registrations at once the second keeps the key of the first as the previous one.
  const held = await tx
    .selectFrom('tenants')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .modifyEnd(withRowLock(tx))
    .executeTakeFirstOrThrow()
  if (request.url !== null && request.url !== held.callback_url) await checkUrl(request.url, call.privateCallbacks)
  const key = keyAfter(held, request)
  const newKey = key !== held.callback_key
  const changed = newKey || request.url !== held.callback_url || request.authType !== held.callback_auth_type
  if (changed) {
    await tx
      .updateTable('tenants')
      .set({
        callback_url: request.url,
        callback_auth_type: request.authType,
        ...(newKey && { callback_key: key, callback_key_previous: held.callback_key, callback_key_since: now }),
      })
      .where('tenant_id', '=', tenantId)
      .execute()
  }
  await tx.updateTable('outbox').set({ due: 0 }).where('tenant_id', '=', tenantId).execute()
  return { authKey: newKey ? key : null, changed }
}

async function checkUrl(url: string, privateCallbacks: boolean): Promise<void> {
  const fault = await urlFault(url, privateCallbacks)
  if (fault !== undefined) throw new Refusal('InvalidCallbackUrl', fault)
}

/** The key stays unless another one is given or asked for; without authentication there is one only when it is. */
function keyAfter(held: TenantRow, { authType, authKey, resetKey }: Request): string | null {
  if (authKey != null) return authKey
  if (resetKey) return newKey()
  if (authType === 'None') return authType === held.callback_auth_type ? held.callback_key : null
  return authType === held.callback_auth_type && held.callback_key !== null ? held.callback_key : newKey()
}

/** 256 random bits as 43 characters that any header can carry. */
function newKey(): string {
  return randomBytes(32).toString('base64url')
}
