import { isErrorCode } from '#contract/terms'
import { Refusal } from '../operations/call.ts'
import { type Store, type StoreTransaction, tryTurn } from '../store/index.ts'
import { type Outcome, refused } from './outcome.ts'

/** How long a first answer is kept, in milliseconds. */
const kept = 86_400_000

/** What a caller said with an Idempotency-Key. */
export interface Idempotency {
  readonly clientId: string
  readonly key: string
  /** Of the operation and the request as it was read. */
  readonly fingerprint: string
}

/**
 * The first answer to a key: the same again for the same request, a refusal for another one. Undefined when there is
 * none yet; then nobody else answers before this transaction ends.
 * @throws Refusal IdempotencyKeyInUse while another process answers
 */
export async function keptAnswer(
  tx: StoreTransaction,
  { clientId, key, fingerprint }: Idempotency,
  now: number,
): Promise<Outcome | undefined> {
  if (!(await tryTurn(tx, JSON.stringify([clientId, key])))) throw stillRunning()
  const first = await tx
    .selectFrom('idempotency')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('key', '=', key)
    .where('created', '>', now - kept)
    .executeTakeFirst()
  if (first === undefined) return undefined
  if (first.fingerprint !== fingerprint) {
    return refused(new Refusal('IdempotencyKeyReused', 'This Idempotency-Key was used with another request.'))
  }
  return { status: first.status, body: first.answer, error: errorIn(first.answer) }
}

/**
 * Keeps the answer to a key in the transaction of the call; 429 and 5xx are no answers.
 * @throws Refusal IdempotencyKeyInUse when another process answered in the meantime, which undoes the call
 */
export async function keepAnswer(
  tx: StoreTransaction,
  { clientId, key, fingerprint }: Idempotency,
  { status, body }: Outcome,
  now: number,
): Promise<void> {
  if (status === 429 || status >= 500) return
  await tx
    .deleteFrom('idempotency')
    .where('client_id', '=', clientId)
    .where('key', '=', key)
    .where('created', '<=', now - kept)
    .execute()
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotency')
    .values({ client_id: clientId, key, fingerprint, status, answer: body, created: now })
    .onConflict(conflict => conflict.columns(['client_id', 'key']).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw stillRunning()
}

/** The refusal of a second request while the first one runs. */
export function stillRunning(): Refusal {
  return new Refusal('IdempotencyKeyInUse', 'A request with this Idempotency-Key is still running.')
}

/** Forgets the keys whose time is over. */
export async function sweepIdempotencyKeys(store: Store, now: number): Promise<void> {
  await store
    .deleteFrom('idempotency')
    .where('created', '<=', now - kept)
    .execute()
}

function errorIn(answer: string): Outcome['error'] {
  const { error } = JSON.parse(answer)
  return typeof error === 'string' && isErrorCode(error) ? error : undefined
}
