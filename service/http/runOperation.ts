import type { IncomingHttpHeaders } from 'node:http'
import type { Logger } from 'pino'
import { type OperationName, operations, type ReadRequestOf, type ResponseOf } from '#contract'
import type { RunInShare } from '#platform/limits'
import type { Caller } from '../auth/index.ts'
import { type Secrets, UnknownDataKey } from '../encryption/index.ts'
import type { OpenDoor } from '../hardware/index.ts'
import { createDoorWaits, DoorInUse, type DoorWaitParts } from '../lockers/index.ts'
import { OperationError } from '../operationError.ts'
import type {
  AnyHandler,
  BookingHandler,
  Handlers,
  OperationCall,
  SteppedHandler,
  Steps,
} from '../operations/handler.ts'
import type { Outbox } from '../outbox/index.ts'
import type { RetentionTimes } from '../retention/index.ts'
import { createBatches, createShipment } from '../shipments/index.ts'
import { inTransaction, type Store, type StoreTransaction } from '../store/index.ts'
import { keepQuery } from '../store/statements.ts'
import type { StagedUpload } from '../suggestions/index.ts'
import { unknownOperation } from './failures.ts'
import { type Attempt, createRunOnce } from './idempotency.ts'
import { type OperationResult, toRefusal, toSuccess } from './result.ts'

export interface RunOperationParts extends DoorWaitParts {
  readonly handlers: Handlers
  readonly retention: RetentionTimes
  readonly runInShare: RunInShare
  readonly secrets: Secrets
  readonly allowPrivateNetworks: boolean
  readonly openDoor: OpenDoor
  /** Milliseconds. */
  readonly unlockTimeout: number
  /** True if sandbox faults are available. */
  readonly sandbox: boolean
  /** Concurrent bookings share a commit on PostgreSQL. */
  readonly batchBookings: boolean
  readonly clock: () => number
  /** Called after every commit that may have enqueued callbacks of a tenant. */
  readonly wake: (tenantId: string) => void
  /** Reserves the delivery of a callback that is about to be enqueued. */
  readonly reserve: Outbox['reserve']
  readonly log: Pick<Logger, 'warn'>
}

export interface RunOperationOptions {
  /** With the Idempotency-Key; absent for operations without one. */
  readonly headers?: IncomingHttpHeaders | undefined
  readonly upload?: StagedUpload | undefined
}

/** Runs one operation for a caller. Refusals are results; only unexpected errors are thrown. */
export type RunOperation = <Name extends OperationName>(
  name: Name,
  caller: Caller,
  request: ReadRequestOf<Name>,
  options?: RunOperationOptions,
) => Promise<OperationResult>

/** The only place where operations run: everything that an operation changes is one transaction, or one per step. */
export function createRunOperation(parts: RunOperationParts): RunOperation {
  const { store, handlers, secrets, runInShare, sandbox, clock, wake, log, batchBookings } = parts
  const runOnce = createRunOnce(parts)
  const book = batchBookings ? createBatches(store, secrets, parts.reserve) : undefined
  const retryWhenDoorFree = createDoorWaits(parts)

  return async (name, caller, request, { headers = {}, upload } = {}) => {
    const found: AnyHandler<typeof name> | undefined = handlers[name]
    if (found === undefined) throw unknownOperation()
    const handler = found
    // Changes other than bookings can also make a waiting callback due, as ConfigureCallback does.
    const effects = { hasCallback: operations[name].effect !== 'read' && !('toShipment' in handler) }
    const { clientId, tenantId } = caller
    const toCall = (tx: StoreTransaction, now: number): OperationCall => {
      const tenant = createTenantReader(tx, tenantId)
      return { clientId, tenantId, tx, now, secrets, tenant, sandbox, upload, effects }
    }

    /** Books by a batch; its result is the one that `runHandler` would have. */
    function toAttempt({ toShipment, toResponse }: BookingHandler<typeof name>, now: number): Attempt | undefined {
      if (book === undefined) return undefined
      return async toKey => {
        let result: OperationResult | undefined
        const booked = await book({
          ...caller,
          now,
          shipment: toShipment(request),
          toKey(shipmentUid) {
            result = toSuccess(name, toResponse(shipmentUid))
            return toKey(result)
          },
        })
        if (booked === undefined) return undefined
        effects.hasCallback = booked.hasCallback
        return result
      }
    }

    async function run(): Promise<OperationResult> {
      if ('steps' in handler) {
        const transaction: Steps['transaction'] = work =>
          withDataKeys(secrets, () => runStep(store, tx => work(toCall(tx, clock()))))
        return toSuccess(name, await handler.steps({ ...parts, ...caller, transaction }, request))
      }
      const now = clock()
      const call = { operation: name, clientId: caller.clientId, headers, request, now }
      const runHandler = async (tx: StoreTransaction) => {
        try {
          return toSuccess(name, await handle(handler, toCall(tx, now), request))
        } catch (error) {
          return commitRefusal(name, error, log)
        }
      }
      const attempt = 'toShipment' in handler ? toAttempt(handler, now) : undefined
      return runInShare(caller.tenantId, weightOf(name), () =>
        withDataKeys(secrets, () => runOnce(call, runHandler, attempt)),
      )
    }

    try {
      const result = await run().catch((error: unknown) => {
        if (error instanceof DoorInUse) return retryWhenDoorFree(error, run)
        throw error
      })
      if (effects.hasCallback) wake(caller.tenantId)
      return result
    } catch (error) {
      if (error instanceof OperationError) return toRefusal(error, name)
      throw error
    }
  }
}

/** Runs transactions again after a read of the data keys, when another process has encrypted with a new one. */
async function withDataKeys<Result>(secrets: Secrets, transaction: () => Promise<Result>): Promise<Result> {
  try {
    return await transaction()
  } catch (error) {
    if (!(error instanceof UnknownDataKey)) throw error
    await secrets.refresh()
    return transaction()
  }
}

async function handle<Name extends OperationName>(
  handler: Exclude<AnyHandler<Name>, SteppedHandler<Name>>,
  call: OperationCall,
  request: ReadRequestOf<Name>,
): Promise<ResponseOf<Name>> {
  if (typeof handler === 'function') return handler(call, request)
  const { shipment_uid } = await createShipment(call, handler.toShipment(request))
  return handler.toResponse(shipment_uid)
}

/** Reads of pages take the time of several other operations. */
const pageWeight = 4

/** The part of its tenant's share that an operation takes. */
function weightOf(name: OperationName): number {
  return 'pageSize' in operations[name].request.shape ? pageWeight : 1
}

/** Runs one transaction of several. A refusal with `commit: true` is thrown after the commit. */
async function runStep<Result>(store: Store, work: (tx: StoreTransaction) => Promise<Result>): Promise<Result> {
  const outcome = await inTransaction(store, async tx => {
    try {
      return { result: await work(tx) }
    } catch (error) {
      if (error instanceof OperationError && error.commit) return { error }
      throw error
    }
  })
  if ('error' in outcome) throw outcome.error
  return outcome.result
}

/** Reads the tenant on first use. */
function createTenantReader(tx: StoreTransaction, tenantId: string): OperationCall['tenant'] {
  let tenant: ReturnType<OperationCall['tenant']> | undefined
  return () => (tenant ??= readTenant(tx, tenantId))
}

async function readTenant(tx: StoreTransaction, tenantId: string): ReturnType<OperationCall['tenant']> {
  const { rows } = await tx.executeQuery(findTenant(tx, { tenantId }))
  const [tenant] = rows
  if (tenant === undefined) throw new Error(`tenant ${tenantId} must be in the store`)
  return tenant
}

const findTenant = keepQuery((db, { tenantId }: { readonly tenantId: string }) =>
  db.selectFrom('tenants').select(['dispatcher_user_uid', 'callback_url']).where('tenant_id', '=', tenantId),
)

/** Turns a refusal with `commit: true` into a result, which commits the transaction. Any other error rolls it back. */
function commitRefusal(name: OperationName, error: unknown, log: RunOperationParts['log']): OperationResult {
  if (!(error instanceof OperationError && error.commit)) throw error
  if (error.cause !== undefined)
    log.warn(
      { logId: 'operation-refused', operation: name, errorCode: error.code, err: error.cause },
      'operation refused',
    )
  return toRefusal(error, name)
}
