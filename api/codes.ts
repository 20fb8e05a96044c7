/** Fields that open lockers, in lower case. */
const codes = new Set(['pickupcode', 'deliverycode'])

/**
 * A copy of an answer in which every access code is null, however deep and in whatever casing: pin codes must not
 * get into a workflow's history.
 */
export function withoutCodes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCodes)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, codes.has(key.toLowerCase()) ? null : withoutCodes(member)]),
  )
}
