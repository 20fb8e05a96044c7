import type { Selectable, Transaction } from 'kysely'
import type { OperationName, ReadRequestOf, ResponseOf } from '#contract'
import type { ErrorCode } from '#contract/terms'
import type { OpenDoor } from '../hardware/index.ts'
import type { Tables, TenantRow } from '../store/tables.ts'
import type { StagedUpload } from '../suggestions/index.ts'

/** Who calls, when, and the one transaction in which everything that the call does happens. */
export interface Call {
  readonly tx: Transaction<Tables>
  readonly tenantId: string
  readonly clientId: string
  /** The caller's tenant as the transaction found it, read once. */
  readonly tenant: () => Promise<Selectable<TenantRow>>
  /** Milliseconds since 1970; one moment for the whole call. */
  readonly now: number
  /** Whether callbacks may go to private, loopback and plain-http addresses (LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS). */
  readonly privateCallbacks: boolean
  readonly openDoor: OpenDoor
  /** Whether faults can be switched on; not in production. */
  readonly sandbox: boolean
  /** The file that came with the request, for operations that take one. */
  readonly upload?: StagedUpload | undefined
}

/** Does what an operation says; throws a Refusal when the answer is no; then nothing has happened unless it says so. */
export type Handler<Name extends OperationName> = (
  call: Call,
  request: ReadRequestOf<Name>,
) => Promise<ResponseOf<Name>>

/** The answer is no: a code out of the error table and a sentence for the caller. */
export class Refusal extends Error {
  readonly code: ErrorCode
  /** Seconds, for the Retry-After header. */
  readonly retryAfter: number | undefined
  /** What the call wrote before it was refused stays, for instance a counted wrong pin code. */
  readonly keepsChanges: boolean
  /** Fields of the operation's response that are sent beside the envelope. */
  readonly answer: object | undefined

  constructor(
    code: ErrorCode,
    message: string,
    { retryAfter, keepsChanges = false, answer, cause }: RefusalOptions = {},
  ) {
    // An answer and no fault: nobody reads where it came from, and finding out is a tenth of what a refusal costs.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message, { cause })
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'Refusal'
    this.code = code
    this.retryAfter = retryAfter
    this.keepsChanges = keepsChanges
    this.answer = answer
  }
}

interface RefusalOptions {
  readonly retryAfter?: number
  readonly keepsChanges?: boolean
  readonly answer?: object
  /** What went wrong, for the log. */
  readonly cause?: unknown
}
