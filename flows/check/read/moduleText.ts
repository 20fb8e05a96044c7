import type { FieldPath, Place } from '../fault.ts'

/** A literal of an object or a list in the text of a module. A member is known by its key, or by its index. */
interface Literal {
  readonly offset: number
  readonly members: ReadonlyMap<string, Member>
}

interface Member {
  /** Where the key begins, or in a list the member. */
  readonly offset: number
  /** The first token of the value. */
  readonly value: Token | undefined
  /** Undefined for a value that is no literal of an object or a list. */
  readonly literal: Literal | undefined
}

interface Token {
  readonly text: string
  readonly offset: number
}

/** Comments and blanks are left out. A text that is not closed is read as its first character. */
const token =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|\.{3}|[\w$]+|[\s\S])/g

const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' }

/**
 * The place of a field of a declaration in the text of its module: of the nearest field above, if code makes the field. Undefined
 * if the text has no literal with the declaration's name and steps, or several.
 */
export function placesIn(text: string, name: unknown): (at: FieldPath) => Required<Omit<Place, 'file'>> | undefined {
  const tokens = readTokens(text)
  const literals = tokens
    .flatMap(({ text: first }, index) => (first === '{' ? [readLiteral(tokens, index).literal] : []))
    .filter(({ members }) => members.has('steps'))
  const named = literals.filter(literal => nameOf(literal) === name)
  const [declaration, ...others] = named.length > 0 ? named : literals.filter(literal => nameOf(literal) === undefined)
  return at => (declaration === undefined || others.length > 0 ? undefined : toPlace(text, offsetOf(declaration, at)))
}

/** Undefined for a name that code makes, too. */
function nameOf({ members }: Literal): string | undefined {
  const value = members.get('name')?.value
  return value !== undefined && /^['"`]/.test(value.text) ? textOf(value) : undefined
}

function toPlace(text: string, offset: number) {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** As in YAML: of the value; of its key, if the value is an object or a list. */
function offsetOf(declaration: Literal, at: FieldPath): number {
  let literal: Literal | undefined = declaration
  let { offset } = declaration
  for (const key of at) {
    const member: Member | undefined = literal?.members.get(String(key))
    if (member === undefined) return offset
    literal = member.literal
    offset = literal === undefined ? (member.value?.offset ?? member.offset) : member.offset
  }
  return offset
}

function readTokens(text: string): Token[] {
  return [...text.matchAll(token)].flatMap(({ 1: found, index }) =>
    found === undefined ? [] : [{ text: found, offset: index }],
  )
}

/** The literal that begins at a token, and the index after it. Members after a spread of a list have unknown places. */
function readLiteral(tokens: readonly Token[], start: number): { readonly literal: Literal; readonly next: number } {
  const { text: open = '', offset = 0 } = tokens[start] ?? {}
  const members = new Map<string, Member>()
  let index = start + 1
  let isKnown = true
  for (let count = 0; index < tokens.length && tokens[index]?.text !== closing[open]; count++) {
    const key = open === '[' ? String(count) : textOf(tokens[index])
    if (open === '[' && tokens[index]?.text === '...') isKnown = false
    const from = open === '[' ? index : tokens[index + 1]?.text === ':' ? index + 2 : undefined
    const value = from === undefined ? undefined : tokens[from]
    const isNested = value?.text === '{' || value?.text === '['
    const nested = from !== undefined && isNested ? readLiteral(tokens, from) : undefined
    const end = skipTo(tokens, nested?.next ?? from ?? index, closing[open] ?? '')
    // Code such as `[…].map(…)` makes another value.
    const isWhole = nested !== undefined && (nested.next === end || isTypeAt(tokens[nested.next]))
    if (isKnown)
      members.set(key, { offset: tokens[index]?.offset ?? 0, value, literal: isWhole ? nested.literal : undefined })
    index = tokens[end]?.text === ',' ? end + 1 : end
  }
  return { literal: { offset, members }, next: index + 1 }
}

/** `as const` and `satisfies` leave the value as it is. */
function isTypeAt(found: Token | undefined): boolean {
  return found?.text === 'as' || found?.text === 'satisfies'
}

/** The index of the comma or of the bracket that ends a member. */
function skipTo(tokens: readonly Token[], from: number, end: string): number {
  const open: string[] = []
  for (let index = from; index < tokens.length; index++) {
    const { text } = tokens[index] as Token
    if (open.length === 0 && (text === ',' || text === end)) return index
    if (text === open.at(-1)) open.pop()
    else if (closing[text] !== undefined) open.push(closing[text])
  }
  return tokens.length
}

/** A key, or a text without escapes. */
function textOf(found: Token | undefined): string {
  return found?.text.replace(/^(['"`])(.*)\1$/s, '$2') ?? ''
}
