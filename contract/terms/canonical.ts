/**
 * Canonical JSON: keys in lower case and sorted, null members omitted. Requests that the service treats alike have the
 * same canonical JSON.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(canonical(value)) ?? ''
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value)
    .filter(([, member]) => member !== null && member !== undefined)
    .map(([key, member]) => [key.toLowerCase(), canonical(member)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
