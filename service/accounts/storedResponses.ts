import type { Call } from '../call.ts'
import { hiddenFields } from './response.ts'

/**
 * Removes an account's data from the responses that are stored for idempotency keys, of all API clients. A repeated
 * request then gets the account as one that the caller does not manage, and creates nothing (D-122).
 */
export async function hideInStoredResponses({ tx }: Call, userUid: string): Promise<void> {
  const stored = await tx.selectFrom('idempotency').select('body').distinct().where('user_uid', '=', userUid).execute()
  for (const { body } of stored) {
    await tx
      .updateTable('idempotency')
      .set({ body: hideAccount(body) })
      .where('user_uid', '=', userUid)
      .where('body', '=', body)
      .execute()
  }
}

function hideAccount(body: string): string {
  return JSON.stringify({ ...JSON.parse(body), ...hiddenFields })
}
