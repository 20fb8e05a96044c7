import { CodecError } from '../codecError.ts'
import { type Database, openDatabase, type Row, type Value } from './database.ts'
import { statements, table } from './statements.ts'

/** Runs a statement, and returns its rows. @throws CodecError if the database cannot be reached */
export type RunStatement = (sql: string, ...parameters: readonly Value[]) => Promise<Row[]>

/** The table of the keys of persons. */
export interface PersonalTable {
  readonly all: RunStatement
  readonly close: () => Promise<void>
}

interface Opened {
  readonly database: Promise<Database>
  /** Statements that have not ended. */
  running: number
}

/**
 * The table is opened at its first use, and created if it is missing. After a failure the next use opens it again. The last
 * statement of the earlier one closes it, since others may still run there.
 */
export function openTable(url: string): PersonalTable {
  let opened: Opened | undefined

  return {
    async all(sql, ...parameters) {
      opened ??= { database: open(url), running: 0 }
      const mine = opened
      mine.running++
      try {
        return await (await mine.database).all(sql, ...parameters)
      } catch (error) {
        // A later failure of the earlier one says nothing about its successor.
        if (opened === mine) opened = undefined
        const reason = error instanceof Error ? error.message : String(error)
        throw new CodecError(`must name a store that can be reached: ${reason}`, 'LOCKERFLOW_PERSONAL_KEYS_URL')
      } finally {
        mine.running--
        if (opened !== mine && mine.running === 0) closeQuietly(mine)
      }
    },
    close: async () => (await opened?.database)?.close(),
  }
}

/** One that failed to open has closed itself. */
function closeQuietly({ database }: Opened): void {
  void database.then(each => each.close()).catch(() => undefined)
}

async function open(url: string): Promise<Database> {
  const database = await openDatabase(url)
  const isThere = () => database.all(statements.findId, '')
  try {
    await isThere().catch(async () => {
      // Several processes may start at once: then one of them creates the table.
      for (const statement of table) await database.all(statement).catch(() => undefined)
      return isThere()
    })
    return database
  } catch (error) {
    await database.close().catch(() => undefined)
    throw error
  }
}
