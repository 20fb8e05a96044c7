import { openExistingStore } from '../store/index.ts'
import { type CallbackFilter, countDead, findUndelivered, type UndeliveredCallback } from './deadLetters.ts'
import { resendCallbacks } from './presentStates.ts'

/** The undelivered callbacks of a store, for operators. */
export interface UndeliveredCallbacks {
  /** Returns up to `limit` callbacks, the oldest first. */
  list(filter: CallbackFilter, limit: number): Promise<readonly UndeliveredCallback[]>
  /** Counts the callbacks that were given up, by tenant. */
  countDead(): Promise<readonly { readonly tenantId: string; readonly count: number }[]>
  /** See `resendCallbacks`. Services send them within a second. */
  resend(filter: CallbackFilter): Promise<number>
  close(): Promise<void>
}

/**
 * Opens the store of a service, which may be running.
 * @param databaseUrl a `file:` URL of an existing file, or a `postgres://` URL
 * @throws Error when the store cannot be opened, or is no store yet
 */
export async function openUndelivered(databaseUrl: string): Promise<UndeliveredCallbacks> {
  const store = await openExistingStore(databaseUrl)
  return {
    list: (filter, limit) => findUndelivered(store, filter, limit),
    countDead: () => countDead(store),
    resend: filter => resendCallbacks(store, Date.now, filter),
    close: () => store.destroy(),
  }
}
