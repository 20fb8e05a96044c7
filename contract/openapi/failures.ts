import { z } from 'zod'
import { type ErrorCode, errors } from '#contract/terms'
import { envelope, failed } from '../envelope.ts'
import { responseHeaders } from './headers.ts'
import { type Json, jsonContent, namedSchema, referenceTo, toJsonSchema } from './schemas.ts'

/** Failures that operations share. All codes of a failure have the same HTTP status. */
const sharedFailures = {
  InvalidRequest: ['InvalidRequest'],
  NotInTime: ['InvalidRequest'],
  UnknownExpectation: ['InvalidRequest'],
  HeadersTooLarge: ['InvalidRequest'],
  UnknownTransferCoding: ['InvalidRequest'],
  Unauthorized: ['Unauthorized'],
  Forbidden: ['Forbidden'],
  IdempotencyKeyInUse: ['IdempotencyKeyInUse'],
  RequestTooLarge: ['RequestTooLarge'],
  UnsupportedMediaType: ['UnsupportedMediaType'],
  IdempotencyKeyReused: ['IdempotencyKeyReused'],
  RateLimited: ['RateLimited'],
  /** For operations that limit attempts. */
  TooManyRequests: ['RateLimited', 'TooManyAttempts'],
  InternalError: ['InternalError'],
  Unavailable: ['Unavailable'],
} as const satisfies Record<string, readonly ErrorCode[]>

type FailureName = keyof typeof sharedFailures

/** The failures of a request whose headers no route accepts, or that is late. */
export const anyRequest = ['NotInTime', 'UnknownExpectation', 'HeadersTooLarge', 'UnknownTransferCoding'] as const

/** The HTTP status where it is not that of the codes. */
const statuses: Partial<Record<FailureName, number>> = {
  NotInTime: 408,
  UnknownExpectation: 417,
  HeadersTooLarge: 431,
  UnknownTransferCoding: 501,
}

/** Failures that need no token. */
export const alwaysPossible: readonly FailureName[] = [...anyRequest, 'InternalError', 'Unavailable']

/** The components of the shared failures. */
export function failureComponents(): Json {
  return Object.fromEntries(Object.entries(sharedFailures).map(([name, codes]) => [name, failureResponse(name, codes)]))
}

/** References to failures, by HTTP status. */
export function failureResponses(failures: readonly FailureName[]): Json {
  return Object.fromEntries(
    failures.map(name => [statuses[name] ?? errors[sharedFailures[name][0]].status, referenceTo('responses', name)]),
  )
}

/** The envelope of every success. */
export const successEnvelope = { success: z.literal(true), error: z.literal(null), message: z.literal(null) }

/** The body of a refusal or failure with one of these codes. */
export function refusalSchema(codes: readonly string[], fields: z.ZodRawShape = {}): z.ZodType {
  const fixed = { success: z.literal(false), error: z.enum(codes), message: z.string() }
  return z.object({ ...fields, ...envelope.shape, ...fixed })
}

/** One example per code, with the meaning in the error table. */
export function refusalExamples(codes: readonly ErrorCode[]): Json {
  return Object.fromEntries(
    codes.map(code => {
      const { meaning } = errors[code]
      return [code, { summary: meaning, value: failed(code, meaning) }]
    }),
  )
}

/** A Markdown list of codes and meanings. */
export function listCodes(codes: readonly ErrorCode[]): string {
  return codes.map(code => `- \`${code}\`: ${errors[code].meaning}`).join('\n')
}

function failureResponse(name: string, codes: readonly ErrorCode[]): Json {
  const status = Math.max(...codes.map(code => errors[code].status))
  return {
    description: listCodes(codes),
    headers: responseHeaders(
      ...(status === 429 || status === 503 ? (['RetryAfter'] as const) : []),
      ...(status === 401 || status === 403 ? (['Challenge'] as const) : []),
    ),
    content: jsonContent(
      namedSchema(`${name}Failure`, toJsonSchema(refusalSchema(codes), 'output')),
      refusalExamples(codes),
    ),
  }
}
