import type { IncomingHttpHeaders } from 'node:http'
import type { Logger } from 'pino'
import { type OperationName, operations, type ReadRequestOf } from '#contract'
import type { Caller } from '../auth/index.ts'
import { type OpenDoor, openEachOnce } from '../hardware/index.ts'
import { OperationError } from '../operationError.ts'
import type { Handler, Handlers, OperationCall } from '../operations/handler.ts'
import { failDoors } from '../sandbox/index.ts'
import type { Store, StoreTransaction } from '../store/index.ts'
import type { StagedUpload } from '../suggestions/index.ts'
import { unknownOperation } from './failures.ts'
import { createRunOnce } from './idempotency.ts'
import { type OperationResult, toRefusal, toSuccess } from './result.ts'

export interface RunOperationParts {
  readonly store: Store
  readonly handlers: Handlers
  readonly allowPrivateNetworks: boolean
  readonly openDoor: OpenDoor
  /** True if sandbox faults are available. */
  readonly sandbox: boolean
  readonly clock: () => number
  /** Called after every commit that may have enqueued callbacks. */
  readonly wake: () => void
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

/** The only place where operations run: everything that an operation changes is one transaction. */
export function createRunOperation(parts: RunOperationParts): RunOperation {
  const { store, handlers, allowPrivateNetworks, sandbox, clock, wake, log } = parts
  const runOnce = createRunOnce(store)

  return async (name, caller, request, { headers = {}, upload } = {}) => {
    const handler: Handler<typeof name> | undefined = handlers[name]
    if (handler === undefined) throw unknownOperation()
    const now = clock()
    // Outside of the transaction, so that a retried transaction does not open a door twice.
    let openOnce: OpenDoor | undefined
    try {
      const result = await runOnce({ operation: name, clientId: caller.clientId, headers, request, now }, async tx => {
        const openDoor: OpenDoor = door => {
          openOnce ??= openEachOnce(parts.openDoor)
          return failDoors(openOnce, { tx, tenantId: caller.tenantId, sandbox })(door)
        }
        const tenant = createTenantReader(tx, caller.tenantId)
        const call: OperationCall = { ...caller, tx, now, tenant, openDoor, allowPrivateNetworks, sandbox, upload }
        try {
          return toSuccess(name, await handler(call, request))
        } catch (error) {
          return commitRefusal(name, error, log)
        }
      })
      if (operations[name].effect !== 'read') wake()
      return result
    } catch (error) {
      if (error instanceof OperationError) return toRefusal(error, name)
      throw error
    }
  }
}

/** Reads the tenant on first use. */
function createTenantReader(tx: StoreTransaction, tenantId: string): OperationCall['tenant'] {
  const query = tx
    .selectFrom('tenants')
    .select(['dispatcher_user_uid', 'callback_url'])
    .where('tenant_id', '=', tenantId)
  let tenant: ReturnType<OperationCall['tenant']> | undefined
  return () => (tenant ??= query.executeTakeFirstOrThrow())
}

/** Turns a refusal with `commit: true` into a result, which commits the transaction. Any other error rolls it back. */
function commitRefusal(name: OperationName, error: unknown, log: RunOperationParts['log']): OperationResult {
  if (!(error instanceof OperationError && error.commit)) throw error
  if (error.cause !== undefined)
    log.warn({ operation: name, errorCode: error.code, err: error.cause }, 'operation refused')
  return toRefusal(error, name)
}
