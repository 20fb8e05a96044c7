import type { IncomingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import { fingerprint, type OperationName, operations, type ReadRequestOf } from '#contract'
import { isErrorCode } from '#contract/terms'
import { OperationError } from '../operationError.ts'
import type { RetentionTimes } from '../retention/index.ts'
import type { KeyRow } from '../shipments/index.ts'
import { inTransaction, type Store, type StoreTransaction } from '../store/index.ts'
import { hasRowLocks } from '../store/locks.ts'
import { defer, keepQuery, send } from '../store/statements.ts'
import type { IdempotencyRow } from '../store/tables.ts'
import { type OperationResult, toRefusal } from './result.ts'

/** Maximum length of a key in characters. */
const maxKeyLength = 255

export interface IdempotencyKey {
  /** Milliseconds for which its response is stored. */
  readonly lifetime: number
  readonly clientId: string
  readonly key: string
  /** Hash of the operation and of its request after normalization. */
  readonly fingerprint: string
}

export interface OperationRequest<Name extends OperationName> {
  readonly operation: Name
  readonly clientId: string
  readonly headers: IncomingHttpHeaders
  readonly request: ReadRequestOf<Name>
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Runs `work` in a transaction, or returns the stored response of an earlier request with the same Idempotency-Key. */
export type RunOnce = <Name extends OperationName>(
  request: OperationRequest<Name>,
  work: (tx: StoreTransaction) => Promise<OperationResult>,
  attempt?: Attempt,
) => Promise<OperationResult>

/**
 * Does the same as the transaction in a quicker way, or does nothing and returns undefined.
 * @param toKey the row that it must store for a result
 */
export type Attempt = (toKey: (result: OperationResult) => KeyRow | undefined) => Promise<OperationResult | undefined>

export interface RunOnceParts {
  readonly store: Store
  readonly retention: RetentionTimes
}

/**
 * Wraps the transaction of an operation: its response is stored in the same transaction as its effects. When `work`
 * throws an OperationError, its effects are rolled back and the refusal is stored in a second transaction.
 */
export function createRunOnce({ store, retention }: RunOnceParts): RunOnce {
  // Two concurrent requests with one key would both find no stored response.
  const running = new Set<string>()

  return async (request, work, attempt) => {
    const { now } = request
    const given = readIdempotencyKey(request)
    if (given === undefined) return (await attempt?.(() => undefined)) ?? inTransaction(store, work)
    const key = { ...given, lifetime: retention.responses }
    const slot = JSON.stringify([key.clientId, key.key])
    if (running.has(slot)) throw keyInUse()
    running.add(slot)
    try {
      const done = await attempt?.(result => toKeyRow(key, result, now))
      if (done !== undefined) return done
      return await inTransaction(store, async tx => {
        const stored = await findStoredResponse(tx, key, now)
        if (stored !== undefined) return stored
        const result = await work(tx)
        await storeResponse(tx, key, result, now)
        return result
      })
    } catch (error) {
      if (error instanceof OperationError && error.code !== 'IdempotencyKeyInUse') {
        const stored = await inTransaction(store, tx => storeRefusal(tx, key, toRefusal(error, request.operation), now))
        if (stored !== undefined) return stored
      }
      throw error
    } finally {
      running.delete(slot)
    }
  }
}

/** Stores a refusal, or returns the response that another process has stored since the rollback. */
async function storeRefusal(
  tx: StoreTransaction,
  key: IdempotencyKey,
  refusal: OperationResult,
  now: number,
): Promise<OperationResult | undefined> {
  const stored = await findStoredResponse(tx, key, now)
  if (stored === undefined) await storeResponse(tx, key, refusal, now)
  return stored
}

/**
 * Reads the header Idempotency-Key. Returns undefined without one, and for operations that create nothing.
 * @throws OperationError InvalidRequest when the key is empty or too long
 */
function readIdempotencyKey<Name extends OperationName>({
  operation,
  clientId,
  headers,
  request,
}: Omit<OperationRequest<Name>, 'now'>): Omit<IdempotencyKey, 'lifetime'> | undefined {
  const key = headers['idempotency-key']
  if (operations[operation].effect !== 'create' || typeof key !== 'string') return undefined
  if (key.length < 1 || key.length > maxKeyLength) {
    throw new OperationError('InvalidRequest', `Idempotency-Key must be 1 to ${maxKeyLength} characters long.`)
  }
  return { clientId, key, fingerprint: fingerprint({ operation, request }) }
}

/**
 * Finds the stored response of a key: the same response for the same request, a refusal for another one. Locks the key
 * until the transaction ends, so that no other process can store a response meanwhile.
 * @throws OperationError IdempotencyKeyInUse while another process has the lock
 */
async function findStoredResponse(
  tx: StoreTransaction,
  { clientId, key, fingerprint, lifetime }: IdempotencyKey,
  now: number,
): Promise<OperationResult | undefined> {
  // Two statements, because a statement does not see what was committed after it began and before it got the lock.
  const locked = hasRowLocks(tx) && (await send(tx, tryLock(tx, { name: lockName({ clientId, key }) })))
  const { rows } = await tx.executeQuery(findKey(tx, { clientId, key, after: now - lifetime }))
  if (locked && !(await locked())[0]?.locked) throw keyInUse()
  const [stored] = rows
  if (stored === undefined) return undefined
  if (stored.fingerprint !== fingerprint) {
    return toRefusal(new OperationError('IdempotencyKeyReused', 'This Idempotency-Key was used with another request.'))
  }
  return { status: stored.status, body: stored.body, errorCode: readErrorCode(stored.body), repeated: true }
}

/** The name of the advisory lock of a key. */
function lockName({ clientId, key }: Pick<IdempotencyKey, 'clientId' | 'key'>): string {
  return JSON.stringify([clientId, key])
}

const tryLock = keepQuery((db, { name }: { readonly name: string }) =>
  db.selectNoFrom(sql<boolean>`pg_try_advisory_xact_lock(hashtextextended(${name}, 0))`.as('locked')),
)

type StoredKey = Pick<IdempotencyKey, 'clientId' | 'key'>

const findKey = keepQuery((db, { clientId, key, after }: StoredKey & { readonly after: number }) =>
  db
    .selectFrom('idempotency')
    .select(['fingerprint', 'status', 'body'])
    .where('client_id', '=', clientId)
    .where('key', '=', key)
    .where('created_at', '>', after),
)

/**
 * Stores the response of a key, which the transaction has locked. Responses with 429 or 5xx are not stored, since a retry may
 * succeed.
 */
export async function storeResponse(
  tx: StoreTransaction,
  key: IdempotencyKey,
  result: OperationResult,
  now: number,
): Promise<void> {
  if (result.status === 429 || result.status >= 500) return
  await defer(tx, upsertKey(tx, { ...toKeyRow(key, result, now).row, until: now - key.lifetime }))
}

function toKeyRow(
  { clientId, key, fingerprint }: IdempotencyKey,
  { status, body, userUid }: OperationResult,
  now: number,
): KeyRow {
  const row = { client_id: clientId, key, fingerprint, status, body, created_at: now, user_uid: userUid ?? null }
  return { lock: lockName({ clientId, key }), row }
}

interface NewResponse extends IdempotencyRow {
  /** A response that was stored before this moment has expired. */
  readonly until: number
}

/** A response that has not expired would fail the transaction: its column must not become null. */
const upsertKey = keepQuery((db, row: NewResponse) =>
  db
    .insertInto('idempotency')
    .values({
      client_id: row.client_id,
      key: row.key,
      fingerprint: row.fingerprint,
      status: row.status,
      body: row.body,
      created_at: row.created_at,
      user_uid: row.user_uid,
    })
    .onConflict(conflict =>
      conflict.columns(['client_id', 'key']).doUpdateSet(eb => ({
        status: eb
          .case()
          .when('idempotency.created_at', '<=', row.until)
          .then(eb.ref('excluded.status'))
          .end()
          .$notNull(),
        fingerprint: eb.ref('excluded.fingerprint'),
        body: eb.ref('excluded.body'),
        created_at: eb.ref('excluded.created_at'),
        user_uid: eb.ref('excluded.user_uid'),
      })),
    ),
)

function keyInUse(): OperationError {
  return new OperationError('IdempotencyKeyInUse', 'A request with this Idempotency-Key is still running.')
}

function readErrorCode(body: string): OperationResult['errorCode'] {
  const { error } = JSON.parse(body)
  return typeof error === 'string' && isErrorCode(error) ? error : undefined
}
