import type { z } from 'zod'

/** A schema's keys by their lower-case spelling, each with the tree of its value. */
interface KeyTree {
  readonly keys: ReadonlyMap<string, { readonly spelling: string; readonly below: KeyTree | undefined }>
}

/** A key that occurs twice in one object, in different casing. */
export interface DuplicateKey {
  readonly path: string
}

const trees = new WeakMap<z.core.$ZodType, KeyTree | undefined>()

/**
 * Copies `value` with its keys in the schema's casing; unknown keys stay unchanged. Depends on zod's internal `_zod.def`.
 * @param onDuplicate called for keys that differ in casing only; the first one wins
 */
export function normalizeKeys(
  schema: z.core.$ZodType,
  value: unknown,
  onDuplicate: (duplicate: DuplicateKey) => void,
): unknown {
  return normalize(keyTree(schema), value, '', onDuplicate)
}

function normalize(
  tree: KeyTree | undefined,
  value: unknown,
  path: string,
  onDuplicate: (duplicate: DuplicateKey) => void,
): unknown {
  if (tree === undefined || value === null || typeof value !== 'object') return value
  // Nested arrays are not followed: no schema has them, and a hostile body could overflow the stack.
  if (Array.isArray(value)) {
    return value.map((member, index) =>
      Array.isArray(member) ? member : normalize(tree, member, `${path}[${index}]`, onDuplicate),
    )
  }
  const normalized: Record<string, unknown> = Object.create(null)
  // A key of ten letters has a thousand casings: each is one problem only.
  const duplicates = new Set<string>()
  for (const [key, member] of Object.entries(value)) {
    const declared = tree.keys.get(key.toLowerCase())
    const spelling = declared?.spelling ?? key
    const memberPath = path === '' ? spelling : `${path}.${spelling}`
    if (declared !== undefined && Object.hasOwn(normalized, spelling)) duplicates.add(memberPath)
    else normalized[spelling] = normalize(declared?.below, member, memberPath, onDuplicate)
  }
  for (const duplicate of duplicates) onDuplicate({ path: duplicate })
  return normalized
}

function keyTree(schema: z.core.$ZodType): KeyTree | undefined {
  if (!trees.has(schema)) trees.set(schema, buildTree(schema))
  return trees.get(schema)
}

function buildTree(schema: z.core.$ZodType): KeyTree | undefined {
  const def = (schema as z.core.$ZodTypes)._zod.def
  switch (def.type) {
    case 'object':
      return {
        keys: new Map(
          Object.entries(def.shape).map(([spelling, member]) => [
            spelling.toLowerCase(),
            { spelling, below: keyTree(member) },
          ]),
        ),
      }
    case 'array':
      return keyTree(def.element)
    case 'optional':
    case 'nullable':
    case 'default':
      return keyTree(def.innerType)
    default:
      return undefined
  }
}
