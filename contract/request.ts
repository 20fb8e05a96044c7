import type { z } from 'zod'
import type { ErrorCode } from '#contract/terms'
import { foldKeys } from './casing.ts'
import type { Operation } from './operation.ts'

export type ReadRequest<Request> =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly error: ErrorCode; readonly message: string }

/**
 * Reads the body of a request: keys in any casing, unknown keys ignored (docs/decisions.md, Protocol).
 * A body that does not fit is answered with one sentence per offending field.
 */
export function readRequest<Request extends z.ZodObject>(
  { request, absent }: Pick<Operation<Request>, 'request' | 'absent'>,
  body: unknown,
): ReadRequest<z.output<Request>> {
  const faults: string[] = []
  const folded = foldKeys(request, body, ({ path }) => faults.push(`${path} is given twice, in different casing`))
  const parsed = request.safeParse(folded)
  const absentField =
    absent && isObject(folded)
      ? Object.keys(absent).find(field => folded[field] == null || folded[field] === '')
      : undefined
  for (const issue of parsed.error?.issues ?? []) {
    if (absentField === undefined || issue.path[0] !== absentField) faults.push(describeIssue(issue, folded))
  }
  if (faults.length > 0) return { ok: false, error: 'InvalidRequest', message: faults.join('; ') }
  if (absentField !== undefined) {
    return { ok: false, error: absent?.[absentField] ?? 'InvalidRequest', message: `${absentField} is missing` }
  }
  if (!parsed.success) return { ok: false, error: 'InvalidRequest', message: parsed.error.message }
  return { ok: true, request: parsed.data }
}

/** One sentence that names the field and says what would be right. */
export function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const path = issue.path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  )
  const at = path === '' ? 'The body' : path
  if (issue.code === 'invalid_type' && at !== 'The body' && (valueAt(value, issue.path) ?? undefined) === undefined)
    return `${at} is missing`
  return `${at}: ${issue.message}`
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((below, part) => (isObject(below) ? below[part as string] : undefined), value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object'
}
