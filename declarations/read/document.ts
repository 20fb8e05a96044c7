import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseAllDocuments,
  visit,
} from 'yaml'
import type { Declared, FieldPath, Place } from '../fault.ts'

/** Deeper values are refused, since they could overflow the stack. */
const deepest = 50

/**
 * Reads YAML 1.2 (core schema, without anchors, aliases and tags), of which JSON is a part. A file may have several
 * documents. Ignores those without content, as after a last `---`. Never throws.
 */
export function readDocuments(text: string, file: string): Declared[] {
  const lines = new LineCounter()
  try {
    const documents = parseAllDocuments(text, { version: '1.2', schema: 'core', uniqueKeys: true, lineCounter: lines })
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

const tooDeep = `have at most ${deepest} levels.`

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
  const placeAt = (offset: number | undefined): Place => {
    const { line, col } = lines.linePos(offset ?? document.range[0])
    return line > 0 ? { file, line, column: col } : firstPlace(file)
  }
  // The first only: the others often follow from it.
  const errors = [...syntaxErrors(document, text), ...unsupported(document)].slice(0, 1)
  const value: unknown = errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 })
  return {
    value,
    findings: errors.map(({ code, text }) => ({ at: [], code, text })),
    placeOf: at => placeAt(errors.length > 0 ? errors[0]?.offset : offsetOf(document, at)),
  }
}

interface SyntaxFault {
  readonly code: 'YamlSyntax' | 'YamlDuplicateKey'
  readonly text: string
  readonly offset: number | undefined
}

function syntaxErrors({ errors, warnings }: Document.Parsed, source: string): SyntaxFault[] {
  return [...errors, ...warnings].map(({ code, message, pos: [offset] }) => {
    if (code === 'DUPLICATE_KEY')
      return { code: 'YamlDuplicateKey', text: `must have each key once${keyAt(source, offset)}.`, offset }
    // The parser is recursive.
    const reason = code === 'RESOURCE_EXHAUSTION' ? tooDeep : `be YAML 1.2 or JSON: ${toSentence(message)}`
    return { code: 'YamlSyntax', text: `must ${reason}`, offset }
  })
}

/** The key that begins at an offset, if it is a plain word or quoted. */
function keyAt(source: string, offset: number): string {
  const [, key] = /^["']?([^\s"':,{}[\]]+)/.exec(source.slice(offset, offset + 100)) ?? []
  return key === undefined ? '' : `, and "${key}" is there twice`
}

/** Messages of the parser go on with the place and a picture of the line. */
function toSentence(message: string): string {
  const [first = message] = message.split(/ at line \d+|\n/)
  return `${first.replace(/[.:]$/, '')}.`
}

function unsupported(document: Document.Parsed): SyntaxFault[] {
  const found: SyntaxFault[] = []
  visit(document, {
    Node: (_, node, path) => {
      const offset = node.range?.[0]
      const refuse = (text: string) => found.push({ code: 'YamlSyntax', text: `must ${text}`, offset })
      if (isAlias(node)) refuse('not use aliases.')
      else if (node.anchor) refuse('not use anchors.')
      else if (node.tag) refuse('not use tags.')
      else if (path.filter(isCollection).length > deepest) refuse(tooDeep)
    },
  })
  return found
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
