import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { EmbeddedDatabase } from './database.ts'

/** The statements that begin and end a transaction. */
export interface TransactionStatements {
  readonly begin: string
  readonly commit: string
  readonly rollBack: readonly string[]
  /** No other process reads or writes the database. */
  readonly isAlone: boolean
}

/**
 * It acquires the write lock at the start. A transaction that starts with a read fails at its first write when another process
 * has written meanwhile.
 */
export const immediateTransaction: TransactionStatements = {
  begin: 'begin immediate',
  commit: 'commit',
  rollBack: ['rollback'],
  isAlone: false,
}

const savepoint: Omit<TransactionStatements, 'isAlone'> = {
  begin: 'savepoint caller',
  commit: 'release savepoint caller',
  rollBack: ['rollback to savepoint caller', 'release savepoint caller'],
}

/** The connection to an embedded store. It executes statements at once. */
export class EmbeddedConnection implements DatabaseConnection {
  readonly #database: EmbeddedDatabase
  readonly #transaction: TransactionStatements
  /** Begins that wait for the first write: most work only reads. */
  #unsent: string[] = []

  constructor(database: EmbeddedDatabase, transaction: TransactionStatements) {
    this.#database = database
    this.#transaction = transaction
  }

  /** Executes a statement. @throws the error of SQLite */
  execute<Row>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<Row> {
    const statement = this.#database.prepare(sql)
    if (this.#unsent.length > 0 && !statement.isRead) this.#sendUnsent()
    if (statement.isReader) return { rows: statement.all(parameters) as Row[] }
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.execute(query)
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    for (const row of this.#database.prepare(sql).iterate(parameters)) yield { rows: [row as Row] }
  }

  begin(): void {
    if (this.#transaction.isAlone) this.#unsent.push(this.#transaction.begin)
    else this.#run(this.#transaction.begin)
  }

  commit(): void {
    this.#end([this.#transaction.commit])
  }

  /** Rolls back. After a disk error SQLite has done so by itself: the second rollback must not hide the first error. */
  rollBack(): void {
    try {
      this.#end(this.#transaction.rollBack)
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error
    }
  }

  /** Begins changes that can be rolled back without the rest of their transaction. */
  beginSavepoint(): void {
    this.#unsent.push(savepoint.begin)
  }

  releaseSavepoint(): void {
    this.#end([savepoint.commit])
  }

  /** @throws the error of SQLite when the whole transaction is lost */
  rollBackSavepoint(): void {
    this.#end(savepoint.rollBack)
  }

  close(): void {
    this.#database.close()
  }

  /** A begin that was not sent has nothing to end. */
  #end(statements: readonly string[]): void {
    if (this.#unsent.pop() === undefined) for (const sql of statements) this.#run(sql)
  }

  #sendUnsent(): void {
    const unsent = this.#unsent
    this.#unsent = []
    for (const sql of unsent) this.#run(sql)
  }

  #run(sql: string): void {
    this.#database.prepare(sql).run([])
  }
}
