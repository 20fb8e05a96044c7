import type { IncomingHttpHeaders } from 'node:http'
import { fingerprint, type OperationName, operations, type ReadRequestOf } from '#contract'
import { isErrorCode } from '#contract/terms'
import { OperationError } from '../operationError.ts'
import type { RetentionTimes } from '../retention/index.ts'
import { inTransaction, type Store, type StoreTransaction, tryAdvisoryLock } from '../store/index.ts'
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
) => Promise<OperationResult>

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

  return async ({ now, ...request }, work) => {
    const given = readIdempotencyKey(request)
    if (given === undefined) return inTransaction(store, work)
    const key = { ...given, lifetime: retention.responses }
    const slot = JSON.stringify([key.clientId, key.key])
    if (running.has(slot)) throw keyInUse()
    running.add(slot)
    try {
      return await inTransaction(store, async tx => {
        const stored = await findStoredResponse(tx, key, now)
        if (stored !== undefined) return stored
        const result = await work(tx)
        await storeResponse(tx, key, result, now)
        return result
      })
    } catch (error) {
      if (error instanceof OperationError && error.code !== 'IdempotencyKeyInUse') {
        await inTransaction(store, tx => storeResponse(tx, key, toRefusal(error, request.operation), now))
      }
      throw error
    } finally {
      running.delete(slot)
    }
  }
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
  if (!(await tryAdvisoryLock(tx, JSON.stringify([clientId, key])))) throw keyInUse()
  const stored = await tx
    .selectFrom('idempotency')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('key', '=', key)
    .where('created_at', '>', now - lifetime)
    .executeTakeFirst()
  if (stored === undefined) return undefined
  if (stored.fingerprint !== fingerprint) {
    return toRefusal(new OperationError('IdempotencyKeyReused', 'This Idempotency-Key was used with another request.'))
  }
  return { status: stored.status, body: stored.body, errorCode: readErrorCode(stored.body), repeated: true }
}

/**
 * Stores the response of a key. Responses with 429 or 5xx are not stored, since a retry may succeed.
 * @throws OperationError IdempotencyKeyInUse when another process stored one meanwhile; this rolls the operation back
 */
export async function storeResponse(
  tx: StoreTransaction,
  { clientId, key, fingerprint, lifetime }: IdempotencyKey,
  { status, body, userUid }: OperationResult,
  now: number,
): Promise<void> {
  if (status === 429 || status >= 500) return
  await tx
    .deleteFrom('idempotency')
    .where('client_id', '=', clientId)
    .where('key', '=', key)
    .where('created_at', '<=', now - lifetime)
    .execute()
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotency')
    .values({ client_id: clientId, key, fingerprint, status, body, created_at: now, user_uid: userUid ?? null })
    .onConflict(conflict => conflict.columns(['client_id', 'key']).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw keyInUse()
}

function keyInUse(): OperationError {
  return new OperationError('IdempotencyKeyInUse', 'A request with this Idempotency-Key is still running.')
}

function readErrorCode(body: string): OperationResult['errorCode'] {
  const { error } = JSON.parse(body)
  return typeof error === 'string' && isErrorCode(error) ? error : undefined
}
