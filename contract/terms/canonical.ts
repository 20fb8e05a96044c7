/**
 * Canonical JSON: keys in lower case and sorted, null members omitted. Requests that mean the same have the
 * same canonical JSON.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(canonical(value)) ?? ''
}

/**
 * The fields in which two requests differ, as the second one spells them, for instance `Dimension.width`. Names only,
 * since values can be personal. Empty when both mean the same.
 */
export function differingFields(one: unknown, other: unknown): string[] {
  const names = new Map([...keysOf(one), ...keysOf(other)].map(name => [name.toLowerCase(), name]))
  return [...names.values()].flatMap(name => {
    const [before, after] = [memberOf(one, name), memberOf(other, name)]
    if (canonicalJson(before) === canonicalJson(after)) return []
    const below = isRecord(before) && isRecord(after) ? differingFields(before, after) : []
    return below.length > 0 ? below.map(field => `${name}.${field}`) : [name]
  })
}

/** Names at most three fields that differ, as a clause: `Dimension differs`, or `ToUserUid and Details.Notes differ`. */
export function describeDifference(one: unknown, other: unknown): string {
  const fields = differingFields(one, other)
  if (fields.length === 0) return 'its fields differ'
  if (fields.length === 1) return `${fields[0]} differs`
  const more = fields.length > 3 ? [`${fields.length - 2} more fields`] : fields.slice(2)
  const named = [...fields.slice(0, 2), ...more]
  return `${named.slice(0, -1).join(', ')} and ${named.at(-1)} differ`
}

function keysOf(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value) : []
}

function memberOf(value: unknown, name: string): unknown {
  const [, member] = isRecord(value)
    ? (Object.entries(value).find(([key]) => key.toLowerCase() === name.toLowerCase()) ?? [])
    : []
  // An absent member and null mean the same.
  return member ?? undefined
}

/** True for an object, which a list is not. */
export function isRecord<Field = unknown>(value: unknown): value is { readonly [name: string]: Field } {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Deeper values exhaust the stack. The worker refuses them. A date is a text in JSON. */
function canonical(value: unknown, levels = 1_000): unknown {
  if (levels === 0) return null
  if (Array.isArray(value)) return value.map(member => canonical(member, levels - 1))
  if (!isRecord(value) || value instanceof Date) return value
  const entries = Object.entries(value)
    .filter(([, member]) => member != null)
    .map(([key, member]) => [key.toLowerCase(), canonical(member, levels - 1)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
