import { z } from 'zod'
import { type ErrorCode, errors } from '#contract/terms'
import { envelope } from '../envelope.ts'
import { answerHeaders } from './headers.ts'
import { type Json, json, referenceTo, schemaOf } from './json.ts'

/** Failing answers that operations share: the codes of each, which have one HTTP status. */
const shared = {
  InvalidRequest: ['InvalidRequest'],
  Unauthorized: ['Unauthorized'],
  Forbidden: ['Forbidden'],
  IdempotencyKeyInUse: ['IdempotencyKeyInUse'],
  RequestTooLarge: ['RequestTooLarge'],
  UnsupportedMediaType: ['UnsupportedMediaType'],
  IdempotencyKeyReused: ['IdempotencyKeyReused'],
  RateLimited: ['RateLimited'],
  /** Where there are attempts to count. */
  TooManyRequests: ['RateLimited', 'TooManyAttempts'],
  InternalError: ['InternalError'],
  Unavailable: ['Unavailable'],
} as const satisfies Record<string, readonly ErrorCode[]>

type Failure = keyof typeof shared

/** What whoever calls without a token can meet too. */
export const everywhere: readonly Failure[] = ['InternalError', 'Unavailable']

/** The components of the failing answers. */
export function failureComponents(): Json {
  return Object.fromEntries(Object.entries(shared).map(([name, codes]) => [name, failure(codes)]))
}

/** The failing answers of an operation by HTTP status. */
export function failureAnswers(failures: readonly Failure[]): Json {
  return Object.fromEntries(failures.map(name => [errors[shared[name][0]].status, referenceTo('responses', name)]))
}

/** The body of an answer that is a no, with one of these codes. */
export function refusalSchema(codes: readonly string[], fields: z.ZodRawShape = {}): z.ZodType {
  const said = { success: z.literal(false), error: z.enum(codes), message: z.string() }
  return z.object({ ...fields, ...envelope.shape, ...said })
}

/** One example for each code, with the sentence of the error table. */
export function refusalExamples(codes: readonly ErrorCode[]): Json {
  return Object.fromEntries(
    codes.map(code => {
      const { meaning } = errors[code]
      return [code, { summary: meaning, value: { success: false, error: code, message: meaning } }]
    }),
  )
}

/** Each code with its sentence, as a list. */
export function refusalTable(codes: readonly ErrorCode[]): string {
  return codes.map(code => `- \`${code}\`: ${errors[code].meaning}`).join('\n')
}

function failure(codes: readonly ErrorCode[]): Json {
  const status = Math.max(...codes.map(code => errors[code].status))
  return {
    description: refusalTable(codes),
    headers: answerHeaders(
      ...(status === 429 || status === 503 ? (['RetryAfter'] as const) : []),
      ...(status === 401 || status === 403 ? (['Challenge'] as const) : []),
    ),
    content: json(schemaOf(refusalSchema(codes), 'output'), refusalExamples(codes)),
  }
}
