import { StatementSync } from 'node:sqlite'
import { Client } from 'pg'

/** Counts the statements that this process sends to its stores. */
export function countStatements(): { taken(): number } {
  let count = 0
  const counted = <Method extends (...values: never[]) => unknown>(method: Method): Method =>
    function (this: unknown, ...values: never[]) {
      count++
      return method.apply(this, values)
    } as Method
  const statement = StatementSync.prototype
  statement.all = counted(statement.all)
  statement.run = counted(statement.run)
  Client.prototype.query = counted(Client.prototype.query)
  return {
    /** Returns the number since the last call. */
    taken() {
      const taken = count
      count = 0
      return taken
    },
  }
}
