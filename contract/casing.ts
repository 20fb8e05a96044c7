import { hash } from 'node:crypto'
import type { z } from 'zod'
import { canonicalJson } from '#contract/terms'

interface KnownKey {
  readonly spelling: string
  /** The tree of its value. */
  readonly below: KeyTree | undefined
}

/** The keys of a schema. */
interface KeyTree {
  readonly bySpelling: ReadonlyMap<string, KnownKey>
  readonly byLowerCase: ReadonlyMap<string, KnownKey>
}

/** A key that occurs twice in one object, in different casing. */
export interface DuplicateKey {
  readonly path: string
}

const trees = new WeakMap<z.core.$ZodType, KeyTree | undefined>()

/**
 * Returns `value` with its keys in the schema's casing, as a copy unless all have it; unknown keys stay unchanged. Depends on
 * zod's internal `_zod.def`.
 * @param onDuplicate called for keys that differ in casing only; the first one wins
 */
export function normalizeKeys(
  schema: z.core.$ZodType,
  value: unknown,
  onDuplicate: (duplicate: DuplicateKey) => void,
): unknown {
  const tree = keyTree(schema)
  return isNormal(tree, value) ? value : normalize(tree, value, '', onDuplicate)
}

/** True if all keys of a value are known and have the casing of the schema, as those of most requests and responses. */
function isNormal(tree: KeyTree | undefined, value: unknown): boolean {
  if (tree === undefined || value === null || typeof value !== 'object') return true
  if (Array.isArray(value)) return value.every(member => !Array.isArray(member) && isNormal(tree, member))
  for (const key of Object.keys(value)) {
    const known = tree.bySpelling.get(key)
    if (known === undefined) return false
    if (known.below !== undefined && !isNormal(known.below, Reflect.get(value, key))) return false
  }
  return true
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
    const declared = tree.byLowerCase.get(key.toLowerCase())
    const spelling = declared?.spelling ?? key
    const memberPath = path === '' ? spelling : `${path}.${spelling}`
    if (Object.hasOwn(normalized, spelling)) duplicates.add(memberPath)
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
    case 'object': {
      const keys = Object.entries(def.shape).map(([spelling, member]) => ({ spelling, below: keyTree(member) }))
      return {
        bySpelling: new Map(keys.map(key => [key.spelling, key])),
        byLowerCase: new Map(keys.map(key => [key.spelling.toLowerCase(), key])),
      }
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

/** SHA-256 in hex of a value's canonical JSON. Equal requests have the same fingerprint, whatever their spelling. */
export function fingerprint(value: unknown): string {
  return hash('sha256', canonicalJson(value))
}
