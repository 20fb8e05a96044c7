import type { z } from 'zod'
import type { ErrorCode } from '#contract/terms'
import { normalizeKeys } from './casing.ts'
import { describeIssue } from './issues.ts'
import type { Operation } from './operation.ts'

const loneSurrogate = 'The body: keys and texts must not contain a lone surrogate'

export type ReadRequest<Request> =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly error: ErrorCode; readonly message: string }

/**
 * Parses the body of a request: keys in any casing, unknown keys ignored. These must not contain
 * lone surrogates either (RFC 7493 section 2.1), since stores and other languages replace them.
 * The message of an error names every invalid field.
 */
export function readRequest<Request extends z.ZodObject>(
  { request, missingFieldErrors }: Pick<Operation<Request>, 'request' | 'missingFieldErrors'>,
  body: unknown,
): ReadRequest<z.output<Request>> {
  const problems: string[] = []
  const normalized = normalizeKeys(request, body, ({ path }) =>
    problems.push(`${path} is given twice, in different casing`),
  )
  const parsed = request.safeParse(normalized)
  const missingField =
    missingFieldErrors && isObject(normalized)
      ? Object.keys(missingFieldErrors).find(field => normalized[field] == null || normalized[field] === '')
      : undefined
  for (const issue of withoutRepeats(parsed.error?.issues ?? [])) {
    if (missingField === undefined || issue.path[0] !== missingField) problems.push(describeIssue(issue, normalized))
  }
  if (problems.length === 0 && hasLoneSurrogate(body)) problems.push(loneSurrogate)
  if (problems.length > 0) return { ok: false, error: 'InvalidRequest', message: `${problems.join('; ')}.` }
  if (missingField !== undefined) {
    return {
      ok: false,
      error: missingFieldErrors?.[missingField] ?? 'InvalidRequest',
      message: `${missingField} is missing.`,
    }
  }
  if (!parsed.success) return { ok: false, error: 'InvalidRequest', message: parsed.error.message }
  return { ok: true, request: parsed.data }
}

/** Zod compares the length of a list with the limits of a text, and that of a text with those of a list. */
function withoutRepeats(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const ofAnotherType = new Set(issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => path.join('.')))
  return issues.filter(({ code, path }) => code === 'invalid_type' || !ofAnotherType.has(path.join('.')))
}

function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed()
  if (!isObject(value)) return false
  return Object.keys(value).some(key => !key.isWellFormed() || hasLoneSurrogate(value[key]))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object'
}
