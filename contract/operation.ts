import type { z } from 'zod'
import type { ErrorCode } from '#contract/terms'

/** Effect of a call. A `create` supports Idempotency-Key and must not be retried without one. */
export type Effect = 'create' | 'change' | 'read'

/** One operation of the service. Validation, types, client, OpenAPI document and tests derive from it. */
export interface Operation<Request extends z.ZodObject = z.ZodObject, Response extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly path: `/v1/${string}`
  readonly summary: string
  readonly effect: Effect
  readonly request: Request
  /** A success response without the envelope. */
  readonly response: Response
  /** Refusals, without the errors that every operation has. */
  readonly errors: readonly ErrorCode[]
  /** Error codes for missing fields, where the specification demands another one than InvalidRequest. */
  readonly missingFieldErrors?: Readonly<Record<string, ErrorCode>>
  /** True if the operation does not exist in production. */
  readonly stagingOnly?: true
  /** True for multipart/form-data with the request in the part `data`, next to a part `file`. */
  readonly upload?: true
}

/** An operation that expects a file. A type of its own keeps it out of clients that send JSON only. */
export interface UploadOperation<Request extends z.ZodObject = z.ZodObject, Response extends z.ZodObject = z.ZodObject>
  extends Operation<Request, Response> {
  readonly upload: true
}

/** Declares an operation with the exact types of its request and response. */
export function operation<Request extends z.ZodObject, Response extends z.ZodObject>(
  declaration: Operation<Request, Response>,
): Operation<Request, Response> {
  return declaration
}

/** Declares an operation that expects a file, with the exact types of its request and response. */
export function uploadOperation<Request extends z.ZodObject, Response extends z.ZodObject>(
  declaration: Operation<Request, Response>,
): UploadOperation<Request, Response> {
  return { ...declaration, upload: true }
}
