import type { z } from 'zod'
import type { ErrorCode } from '#contract/terms'

/** What calling an operation does to the world: `create` honours Idempotency-Key and is never repeated blindly. */
export type Effect = 'create' | 'change' | 'read'

/** One operation of the service, declared once: validation, types, client, document and tests are made from it. */
export interface Operation<Request extends z.ZodObject = z.ZodObject, Response extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly path: `/v1/${string}`
  readonly summary: string
  /** Heading of the specification or of docs/decisions.md that the operation comes from. */
  readonly section: string
  readonly effect: Effect
  readonly request: Request
  /** What a success carries beside the envelope. */
  readonly response: Response
  /** Business refusals; the errors that every operation can have are not repeated here. */
  readonly errors: readonly ErrorCode[]
  /** Fields whose absence has a code of its own instead of InvalidRequest. */
  readonly absent?: Readonly<Record<string, ErrorCode>>
  /** Not there at all in production. */
  readonly stagingOnly?: true
  /** The request comes as the part `data` of a multipart/form-data body, beside a part `file`. */
  readonly upload?: true
}

/** An operation that takes a file; told apart by type, so that callers which send JSON only cannot name it. */
export interface UploadOperation<Request extends z.ZodObject = z.ZodObject, Response extends z.ZodObject = z.ZodObject>
  extends Operation<Request, Response> {
  readonly upload: true
}

/** Declares an operation, keeping the types of its request and response. */
export function operation<Request extends z.ZodObject, Response extends z.ZodObject>(
  declaration: Operation<Request, Response>,
): Operation<Request, Response> {
  return declaration
}

/** The same for an operation that takes a file. */
export function uploadOperation<Request extends z.ZodObject, Response extends z.ZodObject>(
  declaration: Operation<Request, Response>,
): UploadOperation<Request, Response> {
  return { ...declaration, upload: true }
}
