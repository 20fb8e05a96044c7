import { type Document, isAlias, isCollection, isMap, isScalar, visit, type YAMLMap } from 'yaml'

/** Deeper values are refused, since they could overflow the stack. */
const deepest = 50

export const tooDeep = `have at most ${deepest} levels.`

/** A fault of the text. */
export interface SyntaxFault {
  readonly code: 'YamlSyntax' | 'YamlDuplicateKey'
  readonly text: string
  readonly offset: number | undefined
}

/** The faults that the parser finds. */
export function syntaxErrors({ errors, warnings }: Document.Parsed): SyntaxFault[] {
  return [...errors, ...warnings].map(({ code, message, pos: [offset] }) => {
    // The parser is recursive.
    const reason = code === 'RESOURCE_EXHAUSTION' ? tooDeep : `be YAML 1.2 or JSON: ${toSentence(message)}`
    return { code: 'YamlSyntax', text: `must ${reason}`, offset }
  })
}

/** The key that begins at an offset, if it is a plain word or quoted. */
function keyAt(source: string, offset: number): string {
  const [, key] = /^["']?([^\s"':,{}[\]]+)/.exec(source.slice(offset, offset + 100)) ?? []
  return key === undefined ? '' : `, but "${key}" is there twice`
}

/** Messages of the parser go on with the place and a picture of the line. */
export function toSentence(message: string): string {
  const [first = message] = message.split(/ at line \d+|\n/)
  return `${first.replace(/[.:]$/, '')}.`
}

/** Values that are YAML and no declaration. */
export function unsupported(document: Document.Parsed, source: string): SyntaxFault[] {
  const found: SyntaxFault[] = []
  visit(document, {
    Node: (key, node, path) => {
      const offset = node.range?.[0]
      const refuse = (text: string) => found.push({ code: 'YamlSyntax', text: `must ${text}`, offset })
      if (isAlias(node)) refuse('not use aliases.')
      else if (node.anchor) refuse('not use anchors.')
      else if (node.tag) refuse('not use tags.')
      else if (key === 'key' && isMergeKey(node)) refuse(noMergeKeys)
      else if (path.filter(isCollection).length > deepest) refuse(tooDeep)
      if (isMap(node)) found.push(...duplicateKeys(node, source))
    },
  })
  return found
}

const noMergeKeys = 'not use merge keys. Write the fields of the map, or quote "<<" as the name of a field.'

/** Other readers of YAML merge the map of such a key. */
function isMergeKey(node: unknown): boolean {
  return isScalar(node) && node.type === 'PLAIN' && node.value === '<<'
}

/** Keys that one object cannot have both. `1` and `"1"` are such keys. */
function duplicateKeys(map: YAMLMap, source: string): SyntaxFault[] {
  const known = new Set<string>()
  return map.items.flatMap(({ key }) => {
    if (!isScalar(key)) return []
    const name = String(key.value ?? '')
    if (!known.has(name)) {
      known.add(name)
      return []
    }
    const offset = key.range?.[0]
    return [
      { code: 'YamlDuplicateKey' as const, text: `must have each key once${keyAt(source, offset ?? 0)}.`, offset },
    ]
  })
}
