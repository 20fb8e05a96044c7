import { Client } from 'pg'
import { readErrorCode } from '../errors.ts'

/** Maximum number of prepared statements per connection: each length of a list of values is another statement. */
const maxStatements = 500
/** Maximum number of names for statements that are the same up to their first value: lists must leave names for others. */
const maxVariants = 32
/** In characters. Longer statements are lists of rows, which would fill the server's memory. */
const maxLength = 4_000
/** SQLSTATE of "cached plan must not change result type": another process has migrated a table. */
const staleStatement = '0A000'

/** The names of all connections of this process. */
const statements = createStatementNames()

/**
 * A connection with named prepared statements. Parsing and planning is a third of the cost of a short statement.
 */
export class PreparedStatementsClient extends Client {
  // Kysely uses this overload only; `never` spares a copy of the driver's other ones.
  override query(...args: unknown[]): never {
    const [text, values] = args
    const named =
      typeof text === 'string' && Array.isArray(values) && values.length > 0 ? statements.toName(text) : undefined
    const query = named === undefined ? args : [{ name: named, text, values }]
    const result = Reflect.apply(super.query, this, query) as unknown
    if (result instanceof Promise)
      result.catch(error => {
        if (readErrorCode(error) === staleStatement) statements.renew()
      })
    return result as never
  }
}

/** Names statements, the same text by the same name. */
export function createStatementNames() {
  const names = new Map<string, string>()
  /** The number of named statements by their text before the first value. */
  const variants = new Map<string, number>()
  let generation = 0
  return {
    /** Undefined for a statement that is not prepared. */
    toName(text: string): string | undefined {
      const existing = names.get(text)
      if (existing !== undefined || names.size >= maxStatements || text.length > maxLength) return existing
      const beginning = text.slice(0, text.indexOf('$1'))
      const count = variants.get(beginning) ?? 0
      if (count >= maxVariants) return undefined
      variants.set(beginning, count + 1)
      const name = `lockerflow_${generation}_${names.size}`
      names.set(text, name)
      return name
    },
    /** Statements with new names are planned again. */
    renew(): void {
      names.clear()
      variants.clear()
      generation++
    },
  }
}
