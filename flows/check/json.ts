import type { FieldPath, Finding } from './fault.ts'

/** Deeper values are refused, since they could overflow the stack. */
const deepest = 50

/** The value as JSON represents it, without undefined fields, and a finding for each part that JSON cannot represent. */
export function toPlainJson(value: unknown): { readonly value: unknown; readonly findings: readonly Finding[] } {
  const findings: Finding[] = []
  const refuse = (at: FieldPath, what: string) => {
    findings.push({ at, code: 'NotJson', text: `must be a value that JSON can represent, not ${what}.` })
    return null
  }
  const copy = (part: unknown, at: FieldPath, above: readonly object[]): unknown => {
    if (part === null || typeof part === 'string' || typeof part === 'boolean') return part
    if (typeof part === 'number') return Number.isFinite(part) ? part : refuse(at, String(part))
    if (typeof part !== 'object') return refuse(at, `a ${typeof part}`)
    // Two such parts would double the copies with each level.
    if (above.includes(part)) return refuse(at, 'a part of itself')
    if (at.length > deepest) return refuse(at, 'a value of more than 50 levels')
    if (Array.isArray(part)) return part.map((member, index) => copy(member, [...at, index], [...above, part]))
    const prototype: unknown = Object.getPrototypeOf(part)
    const isPlain = prototype === null || prototype === Object.prototype || String(part) === '[object Module]'
    if (!isPlain && Object.getPrototypeOf(prototype) !== null)
      return refuse(at, `a ${part.constructor?.name ?? 'class'}`)
    return Object.fromEntries(
      Object.entries(part)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => [key, copy(member, [...at, key], [...above, part])]),
    )
  }
  return { value: copy(value, [], []), findings }
}
