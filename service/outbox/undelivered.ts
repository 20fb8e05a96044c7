import { unknownTenant } from '../operationError.ts'
import { openExistingStore, type Store } from '../store/index.ts'
import { keepQuery } from '../store/statements.ts'
import { type CallbackFilter, findUndelivered, type UndeliveredCallback } from './callbackFilter.ts'
import { findTenant } from './claims.ts'
import { resendCallbacks } from './resend.ts'

/** The undelivered callbacks of a store, for operators. */
export interface UndeliveredCallbacks {
  /** Returns up to `limit` callbacks, the oldest first. @throws ArgumentError for an unknown tenant */
  list(filter: CallbackFilter, limit: number): Promise<readonly UndeliveredCallback[]>
  /** See `resendCallbacks`. Services send them within a second. @throws ArgumentError for an unknown tenant */
  resend(filter: CallbackFilter): Promise<number>
  close(): Promise<void>
}

/** A message of the outbox. */
interface TakenMessage {
  /** Its place in the order of changes. */
  readonly seq: number
  readonly body: string
}

/**
 * Opens the store of a service, which may be running.
 * @param databaseUrl a `file:` URL of an existing file, or a `postgres://` URL
 * @throws Error when the store cannot be opened, or has no tables yet
 */
export async function openUndelivered(databaseUrl: string): Promise<UndeliveredCallbacks> {
  const store = await openExistingStore(databaseUrl)
  return {
    async list(filter, limit) {
      await requireTenant(store, filter)
      return findUndelivered(store, filter, limit)
    },
    async resend(filter) {
      await requireTenant(store, filter)
      return resendCallbacks(store, Date.now, filter)
    },
    close: () => store.destroy(),
  }
}

/** Without this check, a mistyped tenant would look like one whose callbacks were all delivered. */
async function requireTenant(store: Store, { tenantId }: CallbackFilter): Promise<void> {
  if (tenantId !== undefined && (await findTenant(store, tenantId)) === undefined) throw unknownTenant(tenantId)
}

/**
 * Returns the messages of the outbox after one of them, in the order of their changes. For a service without a port, whose caller
 * delivers them. They stay in the outbox, since to delete them takes seven times as long.
 * @param after the `seq` of that message; 0 for all
 */
export async function takeMessages(store: Store, after: number): Promise<readonly TakenMessage[]> {
  const { rows } = await store.executeQuery(findAfter(store, { after }))
  return rows
}

const findAfter = keepQuery((db, { after }: { readonly after: number }) =>
  db.selectFrom('outbox').select(['seq', 'body']).where('seq', '>', after).orderBy('seq'),
)
