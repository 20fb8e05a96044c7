import type { Logger } from 'pino'
import { type OperationName, operations, type ReadRequestOf } from '#contract'
import { type OpenDoor, openingOnce } from '../hardware/index.ts'
import { type Call, type Handler, Refusal } from '../operations/call.ts'
import { failingDoors } from '../sandbox/index.ts'
import type { Caller } from '../signIn/index.ts'
import { inTransaction, type Store, type StoreTransaction } from '../store/index.ts'
import type { StagedUpload } from '../suggestions/index.ts'
import { type Idempotency, keepAnswer, keptAnswer } from './idempotency.ts'
import { type Outcome, refused, success } from './outcome.ts'

export type Handlers = { readonly [Name in OperationName]?: Handler<Name> }

export interface PerformParts {
  readonly store: Store
  readonly handlers: Handlers
  readonly privateCallbacks: boolean
  readonly openDoor: OpenDoor
  /** Whether faults can be switched on. */
  readonly sandbox: boolean
  readonly clock: () => number
  /** Called after every commit that may have queued callbacks. */
  readonly wake: () => void
  readonly log: Pick<Logger, 'warn'>
}

/** Calls one operation for a caller and answers how it ended; throws only what nobody foresaw. */
export type Perform = <Name extends OperationName>(
  name: Name,
  caller: Caller,
  request: ReadRequestOf<Name>,
  idempotency: Idempotency | undefined,
  upload?: StagedUpload,
) => Promise<Outcome>

/** The one place where operations are run: everything that a call does is one transaction. */
export function createPerform(parts: PerformParts): Perform {
  const { store, handlers, privateCallbacks, sandbox, clock, wake, log } = parts
  return async (name, caller, request, idempotency, upload) => {
    const handler: Handler<typeof name> | undefined = handlers[name]
    if (handler === undefined) throw new Refusal('UnknownOperation', 'There is no operation at this path.')
    const now = clock()
    const openOnce = openingOnce(parts.openDoor)
    const known = { ...caller, now, privateCallbacks, sandbox, upload }
    try {
      const outcome = await inTransaction(store, async tx => {
        const first = idempotency && (await keptAnswer(tx, idempotency, now))
        if (first !== undefined) return first
        const openDoor = failingDoors(openOnce, { ...known, tx })
        const call: Call = { ...known, tx, openDoor, tenant: tenantOf(tx, caller.tenantId) }
        const ended = await handler(call, request).then(
          response => success(name, response),
          error => endThatStays(name, error, log),
        )
        if (idempotency !== undefined) await keepAnswer(tx, idempotency, ended, now)
        return ended
      })
      if (operations[name].effect !== 'read') wake()
      return outcome
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const outcome = refused(error, name)
      // What the call did is undone by now; that it was refused is remembered all the same.
      if (idempotency !== undefined && error.code !== 'IdempotencyKeyInUse') {
        await inTransaction(store, tx => keepAnswer(tx, idempotency, outcome, now))
      }
      return outcome
    }
  }
}

/** Reads a tenant when it is asked for first. */
function tenantOf(tx: StoreTransaction, tenantId: string): Call['tenant'] {
  const tenant = tx.selectFrom('tenants').selectAll().where('tenant_id', '=', tenantId)
  let read: ReturnType<Call['tenant']> | undefined
  return () => (read ??= tenant.executeTakeFirstOrThrow())
}

/** A refusal that lets its changes stay ends the transaction like a success; any other failure undoes it. */
function endThatStays(name: OperationName, error: unknown, log: PerformParts['log']): Outcome {
  if (!(error instanceof Refusal && error.keepsChanges)) throw error
  if (error.cause !== undefined) log.warn({ operation: name, err: error.cause }, `answered ${error.code}`)
  return refused(error, name)
}
