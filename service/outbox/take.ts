import type { Store } from '../store/index.ts'
import { keepQuery } from '../store/statements.ts'

/** A message of the outbox. */
export interface TakenMessage {
  /** Its place in the order of changes. */
  readonly seq: number
  readonly body: string
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
