import { Client } from 'pg'

/** Statements that are kept prepared on each connection; a list of values makes new ones without end. */
const keptStatements = 500
/** Longer ones, in characters, are lists of rows: each length is another statement, and each takes memory there. */
const longestStatement = 4_000
/** Another process has changed a table: "cached plan must not change result type". */
const staleStatement = '0A000'
/** The driver's words, when it stops waiting. */
const noAnswer = 'Query read timeout'

const names = new Map<string, string>()
let generation = 0

/**
 * A connection that has PostgreSQL parse and plan each statement once, not each time: that is a third of what a short
 * statement costs there (docs/performance.md).
 */
export class PreparingClient extends Client {
  // The driver's own overloads would have to be repeated here one by one; Kysely uses this one.
  override query(...given: unknown[]): never {
    const [text, values] = given
    const named = typeof text === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined
    const asked = named === undefined ? given : [{ name: named, text, values }]
    const answer = Reflect.apply(super.query, this, asked) as unknown
    if (answer instanceof Promise) answer.catch(error => this.#failed(error))
    return answer as never
  }

  #failed(error: unknown): void {
    if (!(error instanceof Error)) return
    if ('code' in error && error.code === staleStatement) forgetNames()
    // Nobody can tell any more which statement the next answer would belong to.
    if (error.message === noAnswer) void this.end()
  }
}

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= keptStatements || text.length > longestStatement) return known
  const name = `lockerflow_${generation}_${names.size}`
  names.set(text, name)
  return name
}

/** New names are planned anew. */
function forgetNames(): void {
  names.clear()
  generation++
}
