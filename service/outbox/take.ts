import type { Store } from '../store/index.ts'

/**
 * Removes all messages of the outbox and returns their bodies, in the order of their changes. For a service without a
 * port, whose caller delivers them.
 */
export async function takeMessages(store: Store): Promise<string[]> {
  const taken = await store.deleteFrom('outbox').returning(['seq', 'body']).execute()
  return taken.toSorted((one, other) => one.seq - other.seq).map(({ body }) => body)
}
