import type { Store } from '../store/index.ts'
import { keepQuery } from '../store/statements.ts'

/**
 * Removes all messages of the outbox and returns their bodies, in the order of their changes. For a service without a
 * port, whose caller delivers them.
 */
export async function takeMessages(store: Store): Promise<string[]> {
  const { rows } = await store.executeQuery(takeAll(store, {}))
  return rows.toSorted((one, other) => one.seq - other.seq).map(({ body }) => body)
}

const takeAll = keepQuery(db => db.deleteFrom('outbox').returning(['seq', 'body']))
