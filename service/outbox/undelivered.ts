import { existsSync } from 'node:fs'
import { openStore } from '../store/index.ts'
import { toPath } from '../store/sqlite/open.ts'
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
 * @throws Error when the file does not exist or the store cannot be opened
 */
export async function openUndelivered(databaseUrl: string): Promise<UndeliveredCallbacks> {
  // Opening would create it.
  if (databaseUrl.startsWith('file:') && !existsSync(toPath(databaseUrl)))
    throw new Error(`there is no file ${toPath(databaseUrl)}`)
  const store = await openStore(databaseUrl)
  return {
    list: (filter, limit) => findUndelivered(store, filter, limit),
    countDead: () => countDead(store),
    resend: filter => resendCallbacks(store, Date.now, filter),
    close: () => store.destroy(),
  }
}
