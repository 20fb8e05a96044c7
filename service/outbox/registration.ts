import { randomBytes } from 'node:crypto'
import type { ReadRequestOf, ResponseOf } from '#contract'
import { validateUrl } from '#platform/addresses'
import { auditCall } from '../audit/index.ts'
import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'
import { forNoKeyUpdate } from '../store/locks.ts'
import type { Tenant } from './claims.ts'
import { decryptKeys } from './sender.ts'

type Request = ReadRequestOf<'ConfigureCallback'>

/**
 * Sets the tenant's callback address and key. After a change all pending messages are due, at the pace of the
 * tenant's retries.
 * @param request its address was checked before the transaction
 */
export async function registerCallback(call: Call, request: Request): Promise<ResponseOf<'ConfigureCallback'>> {
  const { tx, tenantId, secrets, now } = call
  // The lock orders concurrent registrations: the second stores the first one's key as the previous key.
  const row = await tx
    .selectFrom('tenants')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .modifyEnd(forNoKeyUpdate(tx))
    .executeTakeFirstOrThrow()
  const tenant = decryptKeys(secrets, row)
  const key = nextKey(tenant, request)
  const isNewKey = key !== tenant.callback_key
  const changed = isNewKey || request.url !== tenant.callback_url || request.authType !== tenant.callback_auth_type
  if (changed) {
    await tx
      .updateTable('tenants')
      .set({
        callback_url: request.url,
        callback_auth_type: request.authType,
        callback_version: tenant.callback_version + 1,
        ...(isNewKey && {
          callback_key: key && secrets.encrypt('tenants.callback_key', tenantId, key),
          callback_key_previous:
            tenant.callback_key && secrets.encrypt('tenants.callback_key_previous', tenantId, tenant.callback_key),
          callback_key_since: now,
        }),
      })
      .where('tenant_id', '=', tenantId)
      .execute()
    const scheme = request.url === null ? 'off' : request.authType
    await auditCall(call, 'callback.registered', tenantId, isNewKey && key !== null ? `${scheme} newKey` : scheme)
  }
  return { authKey: isNewKey ? key : null, changed }
}

/**
 * Checks a callback address. Resolves its host, so it must run outside of transactions.
 * @param tenantId its checks share one lookup at a time
 * @throws OperationError InvalidCallbackUrl
 */
export async function assertValidUrl(url: string, tenantId: string, allowPrivateNetworks: boolean): Promise<void> {
  const error = await validateUrl(url, allowPrivateNetworks, tenantId)
  if (error !== undefined) throw new OperationError('InvalidCallbackUrl', `${error}.`)
}

/**
 * Keeps the current key unless the request gives or demands a new one. A change to authType None drops the key; a
 * change to another type generates one.
 */
function nextKey(tenant: Tenant, { authType, authKey, resetKey }: Request): string | null {
  if (authKey != null) return authKey
  if (resetKey) return generateKey()
  if (authType === 'None') return authType === tenant.callback_auth_type ? tenant.callback_key : null
  return authType === tenant.callback_auth_type && tenant.callback_key !== null ? tenant.callback_key : generateKey()
}

/** 256 random bits as 43 characters that are valid in a header. */
function generateKey(): string {
  return randomBytes(32).toString('base64url')
}
