import { Client } from 'pg'

/** Statements that are kept prepared on each connection; a list of values makes new ones without end. */
const keptStatements = 500
/** Longer ones, in characters, are lists of rows: each length is another statement, and each takes memory there. */
const longestStatement = 4_000

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
    if (named !== undefined && answer instanceof Promise) answer.catch(forgetStale)
    return answer as never
  }
}

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= keptStatements || text.length > longestStatement) return known
  const name = `lockerflow_${generation}_${names.size}`
  names.set(text, name)
  return name
}

/** Another process has changed a table: "cached plan must not change result type". New names are planned anew. */
function forgetStale(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === '0A000')) return
  names.clear()
  generation++
}
