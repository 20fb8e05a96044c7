/** A comparison of one field. A condition without an operator, such as `overdue`, has no values. */
export interface Comparison {
  readonly field: string
  readonly operator: 'is' | 'isNot' | 'before' | 'after' | 'alone'
  readonly values: readonly string[]
}

export type Condition =
  | { readonly kind: 'comparison'; readonly comparison: Comparison }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }

/** A text that is not a condition. Its message begins with `where`. */
export class WhereFault extends Error {
  override readonly name = 'WhereFault'

  constructor(text: string) {
    super(`where: ${text}`)
  }
}

/** Characters. Temporal limits a query, and nesting is bounded by the length. */
const maxLength = 2_000

/** A quoted text, a sign, or a word. */
const token = /\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(!=|=|\(|\)|,)|([^\s'"()=!,]+))/y

interface Token {
  readonly text: string
  readonly kind: 'quoted' | 'sign' | 'word'
}

/**
 * Parses a condition: comparisons with `and`, `or`, `not` and parentheses.
 * @throws WhereFault
 */
export function parseWhere(text: string): Condition {
  if (text.length > maxLength) throw new WhereFault(`must have at most ${maxLength} characters, has ${text.length}.`)
  const tokens = readTokens(text)
  const parser = new Parser(tokens)
  const condition = parser.readOr()
  const rest = parser.peek()
  if (rest === undefined) return condition
  throw new WhereFault(`must continue with "and" or "or" before "${rest.text}".`)
}

function readTokens(text: string): Token[] {
  const tokens: Token[] = []
  for (token.lastIndex = 0; text.slice(token.lastIndex).trim() !== ''; ) {
    const start = token.lastIndex
    const found = token.exec(text)
    if (found === null)
      throw new WhereFault(`must be readable, "${text.slice(start).trim()}" is not. Close each quote.`)
    const [, single, double, sign, word] = found
    const quoted = single ?? double
    if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted.replaceAll(/\\(.)/g, '$1') })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
    else tokens.push({ kind: 'word', text: word ?? '' })
  }
  return tokens
}

class Parser {
  readonly #tokens: readonly Token[]
  #next = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  peek(): Token | undefined {
    return this.#tokens[this.#next]
  }

  readOr(): Condition {
    return this.#readList('or', () => this.#readList('and', () => this.#readNot()))
  }

  #readList(kind: 'and' | 'or', read: () => Condition): Condition {
    const first = read()
    const conditions = [first]
    while (this.#takes('word', kind)) conditions.push(read())
    return conditions.length === 1 ? first : { kind, conditions }
  }

  #readNot(): Condition {
    if (this.#takes('word', 'not')) return { kind: 'not', condition: this.#readNot() }
    if (!this.#takes('sign', '(')) return { kind: 'comparison', comparison: this.#readComparison() }
    const condition = this.readOr()
    this.#require(')', 'a group')
    return condition
  }

  #readComparison(): Comparison {
    const found = this.peek()
    if (found?.kind !== 'word') throw new WhereFault(`must have a field ${placeOf(found)}.`)
    this.#next += 1
    const field = found.text
    if (this.#takes('sign', '=')) return { field, operator: 'is', values: [this.#readValue(field)] }
    if (this.#takes('sign', '!=')) return { field, operator: 'isNot', values: [this.#readValue(field)] }
    if (this.#takes('word', 'in')) return { field, operator: 'is', values: this.#readValues(field) }
    for (const operator of ['before', 'after'] as const) {
      if (!this.#takes('word', operator)) continue
      const value = this.#readValue(field)
      return { field, operator, values: [this.#takes('word', 'ago') ? `${value} ago` : value] }
    }
    return { field, operator: 'alone', values: [] }
  }

  #readValues(field: string): string[] {
    if (!this.#takes('sign', '(')) throw new WhereFault(`${field} in must be followed by values in parentheses.`)
    const values = [this.#readValue(field)]
    while (this.#takes('sign', ',')) values.push(this.#readValue(field))
    this.#require(')', `the values of ${field}`)
    return values
  }

  #readValue(field: string): string {
    const found = this.peek()
    if (found === undefined || found.kind === 'sign')
      throw new WhereFault(`${field} must have a value ${placeOf(found)}.`)
    this.#next += 1
    return found.text
  }

  #require(sign: string, of: string): void {
    if (!this.#takes('sign', sign)) throw new WhereFault(`must have "${sign}" at the end of ${of}.`)
  }

  /** Words of the grammar have any casing. */
  #takes(kind: Token['kind'], text: string): boolean {
    const found = this.peek()
    if (found?.kind !== kind || found.text.toLowerCase() !== text) return false
    this.#next += 1
    return true
  }
}

function placeOf(found: Token | undefined): string {
  return found === undefined ? 'at its end' : `before "${found.text}"`
}
