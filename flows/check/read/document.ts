import { type Document, isMap, isNode, isScalar, LineCounter, type Pair, parseAllDocuments, type YAMLMap } from 'yaml'
import type { Declared, FieldPath, Place } from '../fault.ts'
import { syntaxErrors, tooDeep, toSentence, unsupported } from './syntax.ts'

/**
 * Reads YAML 1.2 (core schema, without anchors, aliases, tags and merge keys), of which JSON is a part. A file may have several
 * documents. Ignores those without content, as after a last `---`. Never throws.
 */
export function readDocuments(text: string, file: string): Declared[] {
  const lines = new LineCounter()
  try {
    // The parser would compare each key with every other key of its map.
    const documents = parseAllDocuments(text, { version: '1.2', schema: 'core', uniqueKeys: false, lineCounter: lines })
    const found = Array.isArray(documents) ? (documents as Document.Parsed[]) : []
    return found.filter(hasContent).map(document => toSource(document, { lines, file, text }))
  } catch (error) {
    const reason = error instanceof RangeError ? tooDeep : `be YAML 1.2 or JSON: ${toSentence(String(error))}`
    const finding = { at: [], code: 'YamlSyntax' as const, text: `must ${reason}` }
    return [{ value: undefined, findings: [finding], placeOf: () => firstPlace(file) }]
  }
}

function hasContent({ contents, errors }: Document.Parsed): boolean {
  return errors.length > 0 || !isScalar(contents) || contents.source !== '' || contents.type !== 'PLAIN'
}

/** The place of a fault of a whole file. */
export function firstPlace(file: string): Place {
  return { file, line: 1, column: 1 }
}

interface SourceFile {
  readonly file: string
  readonly text: string
  readonly lines: LineCounter
}

function toSource(document: Document.Parsed, { lines, file, text }: SourceFile): Declared {
  const pairsOf = createPairIndex()
  const placeAt = (offset: number | undefined): Place => {
    const { line, col } = lines.linePos(offset ?? document.range[0])
    return line > 0 ? { file, line, column: col } : firstPlace(file)
  }
  // The first only: the others often follow from it.
  const errors = [...syntaxErrors(document), ...unsupported(document, text)].slice(0, 1)
  const value: unknown = errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 })
  return {
    value,
    findings: errors.map(({ code, text }) => ({ at: [], code, text })),
    placeOf: at => placeAt(errors.length > 0 ? errors[0]?.offset : offsetOf(document, at, pairsOf)),
  }
}

type PairIndex = (map: YAMLMap) => ReadonlyMap<string, Pair>

/** The pairs of a map by their keys. A map of many keys can have as many faults, each of which needs its place. */
function createPairIndex(): PairIndex {
  const known = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>()
  return map => {
    const pairs =
      known.get(map) ?? new Map(map.items.flatMap(pair => (isScalar(pair.key) ? [[String(pair.key.value), pair]] : [])))
    known.set(map, pairs)
    return pairs
  }
}

/** The offset of the value at a path; of its key, if the value is a map; of the nearest field above, if it is missing. */
function offsetOf(document: Document.Parsed, at: FieldPath, pairsOf: PairIndex): number | undefined {
  let node: unknown = document.contents
  let offset = isNode(node) ? node.range?.[0] : undefined
  for (const key of at) {
    if (isMap(node)) {
      const pair = pairsOf(node).get(String(key))
      if (pair === undefined) return offset
      offset = isNode(pair.key) ? pair.key.range?.[0] : offset
      node = pair.value
      if (isScalar(node)) offset = node.range?.[0]
    } else {
      node = memberOf(node, key)
      if (isNode(node)) offset = node.range?.[0]
    }
  }
  return offset
}

function memberOf(node: unknown, key: string | number): unknown {
  return typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items)
    ? node.items[Number(key)]
    : undefined
}
