import type { Call } from '../call.ts'
import { hiddenFields } from './response.ts'

/**
 * Removes an account's data from the responses that are stored for idempotency keys, of all API clients. A repeated
 * request then gets the account as one that the caller does not manage, and creates nothing (D-122). Returns the number of responses.
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
