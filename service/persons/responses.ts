import type { Store } from '../store/index.ts'
import { type Matches, replaceInJson } from './matcher.ts'
import { applyBlanks, type Blank } from './scan.ts'

/** Rows of one query. */
const sliceRows = 500

/**
 * Replaces what names the person in stored responses of idempotency keys, such as refused rows of an upload. Those that
 * contain the account are left to the end, which hides it.
 */
export async function eraseResponses(store: Store, userUid: string, matches: Matches): Promise<number> {
  let erased = 0
  for await (const rows of readResponses(store)) {
    const blanks = rows.flatMap((row): Blank[] => {
      const body = row.user_uid === userUid ? undefined : replaceInJson(row.body, matches, 'erased')
      return body === undefined
        ? []
        : [{ table: 'idempotency', key: { client_id: row.client_id, key: row.key }, set: { body } }]
    })
    erased += await applyBlanks(store, blanks)
  }
  return erased
}

/** Reads the stored responses in slices. */
export async function* readResponses(store: Store) {
  for (let last = { clientId: '', key: '' }; ; ) {
    const { clientId, key } = last
    const rows = await store
      .selectFrom('idempotency')
      .select(['client_id', 'key', 'created_at', 'body', 'user_uid'])
      .where(eb =>
        eb.or([eb('client_id', '>', clientId), eb.and([eb('client_id', '=', clientId), eb('key', '>', key)])]),
      )
      .orderBy('client_id')
      .orderBy('key')
      .limit(sliceRows)
      .execute()
    const end = rows.at(-1)
    if (end === undefined) return
    yield rows
    last = { clientId: end.client_id, key: end.key }
  }
}
