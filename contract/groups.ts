import type { z } from 'zod'

/**
 * A request some fields of which go together: if one is given, all have to be, and each missing one is named.
 * Null is not given; an empty text is, but does not do for what is required.
 */
export function together<Request extends z.ZodObject>(
  request: Request,
  fields: readonly (keyof z.output<Request> & string)[],
): Request {
  return fields.reduce(
    (guarded, field) =>
      guarded.refine(values => !isTouched(values) || (values[field] ?? '') !== '', {
        path: [field],
        message: `is required when one of ${fields.join(', ')} is given`,
        // Also when other fields are wrong, since every offending one is named; once each.
        when: ({ value, issues }) =>
          value !== null && typeof value === 'object' && !issues.some(({ path }) => path?.[0] === field),
      }),
    request,
  )

  function isTouched(given: Record<string, unknown>): boolean {
    return fields.some(field => given[field] != null)
  }
}
