/**
 * A value's canonical JSON: keys folded to lower case and sorted, null and absent alike. Two requests that mean the
 * same to the service have the same.
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
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}
