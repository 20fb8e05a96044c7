import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flows } from '#flows'
import { checkFlows } from '#flows/check'
import type { FlowDeclaration } from '#flows/declaration'

type Path = readonly (string | number)[]

const declarations: readonly FlowDeclaration[] = Object.values(flows)

function pathsIn(value: unknown, at: Path): Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [
    at,
    ...Object.entries(value).flatMap(([key, below]) =>
      pathsIn(below, [...at, Array.isArray(value) ? Number(key) : key]),
    ),
  ]
}

/** A copy with another value at the path; the value itself for the path of the whole. */
function replaced(flow: unknown, path: Path, value: unknown): unknown {
  const key = path.at(-1)
  if (key === undefined) return value
  const copy = structuredClone(flow) as object
  const parent = path.slice(0, -1).reduce<object>((below, part) => Reflect.get(below, part) as object, copy)
  Reflect.set(parent, key, value)
  return copy
}

const value = fc.oneof(
  fc.anything({ maxDepth: 3, withDate: true, withMap: true, withBigInt: true }),
  fc.jsonValue(),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'input.__proto__',
    'toString',
    { from: 'input.constructor' },
    { from: 'a.b' },
    [[]],
  ),
)

const mutant = fc
  .constantFrom(...declarations)
  .chain(flow => fc.record({ flow: fc.constant(flow), path: fc.constantFrom(...pathsIn(flow, [])), value }))

test('any value is checked without an exception, and each fault has a code, a sentence and a page', () => {
  const seed = Date.now()
  fc.assert(
    fc.property(mutant, ({ flow, path, value }) => {
      for (const fault of checkFlows([replaced(flow, path, value)])) {
        expect(fault.message).toMatch(/: .*[.?]$/s)
        expect(fault.docs).toBe(`docs/reference/declaration-faults.md#${fault.code.toLowerCase()}`)
      }
    }),
    { seed, numRuns: 300 },
  )
})
