import type { z } from 'zod'

/** The keys of a schema by their lower-case spelling, with the same for what lies below each. */
interface KeyTree {
  readonly keys: ReadonlyMap<string, { readonly spelling: string; readonly below: KeyTree | undefined }>
}

/** Two keys of one object that differ only in casing. */
export interface KeyClash {
  readonly path: string
}

const trees = new WeakMap<z.core.$ZodType, KeyTree | undefined>()

/**
 * A copy of `value` whose keys have the schema's own casing; keys that the schema does not know stay as they are.
 * Keys that clash are reported through `clash`, and the first of them wins.
 */
export function foldKeys(schema: z.core.$ZodType, value: unknown, clash: (clash: KeyClash) => void): unknown {
  return fold(treeOf(schema), value, '', clash)
}

function fold(tree: KeyTree | undefined, value: unknown, path: string, clash: (clash: KeyClash) => void): unknown {
  if (tree === undefined || value === null || typeof value !== 'object') return value
  // No schema has lists of lists, and a body could nest them deeper than the stack is.
  if (Array.isArray(value)) {
    return value.map((member, index) =>
      Array.isArray(member) ? member : fold(tree, member, `${path}[${index}]`, clash),
    )
  }
  const folded: Record<string, unknown> = Object.create(null)
  for (const [key, member] of Object.entries(value)) {
    const known = tree.keys.get(key.toLowerCase())
    const spelling = known?.spelling ?? key
    const at = path === '' ? spelling : `${path}.${spelling}`
    if (known !== undefined && Object.hasOwn(folded, spelling)) clash({ path: at })
    else folded[spelling] = fold(known?.below, member, at, clash)
  }
  return folded
}

function treeOf(schema: z.core.$ZodType): KeyTree | undefined {
  if (!trees.has(schema)) trees.set(schema, grow(schema))
  return trees.get(schema)
}

function grow(schema: z.core.$ZodType): KeyTree | undefined {
  const def = (schema as z.core.$ZodTypes)._zod.def
  switch (def.type) {
    case 'object':
      return {
        keys: new Map(
          Object.entries(def.shape).map(([spelling, member]) => [
            spelling.toLowerCase(),
            { spelling, below: treeOf(member) },
          ]),
        ),
      }
    case 'array':
      return treeOf(def.element)
    case 'optional':
    case 'nullable':
    case 'default':
      return treeOf(def.innerType)
    default:
      return undefined
  }
}
