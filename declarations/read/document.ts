import { type Document, isAlias, isMap, isNode, isScalar, LineCounter, parseAllDocuments, visit } from 'yaml'
import type { Declared, FieldPath, Place } from '../fault.ts'

/**
 * Reads YAML 1.2 (core schema, without anchors, aliases and tags), of which JSON is a part. A file may have several
 * documents.
 */
export function readDocuments(text: string, file: string): Declared[] {
  const lines = new LineCounter()
  const documents = parseAllDocuments(text, { version: '1.2', schema: 'core', uniqueKeys: true, lineCounter: lines })
  if (!Array.isArray(documents)) return []
  return documents.map(document => toSource(document as Document.Parsed, lines, file))
}

function toSource(document: Document.Parsed, lines: LineCounter, file: string): Declared {
  const placeAt = (offset: number | undefined): Place => {
    if (offset === undefined) return { file }
    const { line, col } = lines.linePos(offset)
    return { file, line, column: col }
  }
  const errors = [...syntaxErrors(document), ...unsupported(document)]
  const value: unknown = errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 })
  return {
    value,
    findings: errors.map(({ code, text }) => ({ at: [], code, text })),
    placeOf: at => placeAt(errors.length > 0 ? errors[0]?.offset : offsetOf(document, at)),
  }
}

interface SyntaxError {
  readonly code: 'YamlSyntax' | 'YamlDuplicateKey'
  readonly text: string
  readonly offset: number | undefined
}

/** The first only: the others often follow from it. */
function syntaxErrors({ errors, warnings }: Document.Parsed): SyntaxError[] {
  return [...errors, ...warnings].slice(0, 1).map(({ code, message, pos }) => ({
    code: code === 'DUPLICATE_KEY' ? ('YamlDuplicateKey' as const) : ('YamlSyntax' as const),
    text: code === 'DUPLICATE_KEY' ? 'must have each key once.' : `must be YAML 1.2 or JSON: ${toSentence(message)}`,
    offset: pos[0],
  }))
}

/** Messages of the parser go on with the place and a picture of the line. */
function toSentence(message: string): string {
  const [first = message] = message.split(/ at line \d+|\n/)
  return `${first.replace(/[.:]$/, '')}.`
}

function unsupported(document: Document.Parsed): SyntaxError[] {
  const found: SyntaxError[] = []
  visit(document, {
    Node: (_, node) => {
      const offset = node.range?.[0]
      const refuse = (what: string) => found.push({ code: 'YamlSyntax', text: `must not use ${what}.`, offset })
      if (isAlias(node)) refuse('aliases')
      else if (node.anchor) refuse('anchors')
      else if (node.tag) refuse('tags')
    },
  })
  return found.slice(0, 1)
}

/** The offset of the value at a path; of its key, if the value is a map; of the nearest field above, if it is missing. */
function offsetOf(document: Document.Parsed, at: FieldPath): number | undefined {
  let node: unknown = document.contents
  let offset = isNode(node) ? node.range?.[0] : undefined
  for (const key of at) {
    if (isMap(node)) {
      const pair = node.items.find(({ key: own }) => isScalar(own) && String(own.value) === String(key))
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
