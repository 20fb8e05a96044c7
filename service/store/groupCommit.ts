import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import {
  type Compilable,
  type CompiledQuery,
  DefaultQueryExecutor,
  type QueryCompiler,
  type QueryExecutor,
  type QueryResult,
  Transaction,
} from 'kysely'
import { EmbeddedConnection } from './sqlite/database.ts'
import { dialectOf } from './sqlite/dialect.ts'
import type { Store, StoreTransaction } from './store.ts'
import type { Tables } from './tables.ts'

interface Caller<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

export interface GroupCommitOptions<Item, Result> {
  /** Commits that run at the same time. */
  readonly lanes: number
  /**
   * Takes items with `next` until the queue is empty or a limit is reached, and commits them together.
   * @returns the outcome of each item that it took, in their order
   * @throws when the commit failed; each item that it took then has this outcome
   */
  readonly commit: (next: () => Item | undefined) => Promise<readonly PromiseSettledResult<Result>[]>
  /** A commit waits while items arrive, until it has this number of them. One item that arrives alone does not wait. */
  readonly fullAt?: number
}

/** Commits an item together with others. An urgent one precedes those that are not. */
export type CommitTogether<Item, Result> = (item: Item, isUrgent?: boolean) => Promise<Result>

/** A commit waits for the disk, so concurrent callers share it. Returns a function that commits an item together with others. */
export function createGroupCommit<Item, Result>({
  lanes,
  commit,
  fullAt = 0,
}: GroupCommitOptions<Item, Result>): CommitTogether<Item, Result> {
  const urgent: Caller<Item, Result>[] = []
  const queue: Caller<Item, Result>[] = []
  let running = 0

  async function runLane(): Promise<void> {
    running++
    while (waiting() > 0) {
      let before: number
      do {
        before = waiting()
        // Requests that have arrived meanwhile join the queue here.
        await yieldToEventLoop()
      } while (before < waiting() && waiting() < fullAt)
      if (waiting() > 0) await commitBatch()
    }
    running--
  }

  function waiting(): number {
    return urgent.length + queue.length
  }

  async function commitBatch(): Promise<void> {
    const taken: Caller<Item, Result>[] = []
    const next = () => {
      const caller = urgent.shift() ?? queue.shift()
      if (caller !== undefined) taken.push(caller)
      return caller?.item
    }
    try {
      const outcomes = await commit(next)
      for (const [at, { resolve, reject }] of taken.entries()) {
        const outcome = outcomes[at]
        if (outcome?.status === 'fulfilled') resolve(outcome.value)
        else reject(outcome?.reason)
      }
    } catch (error) {
      // The whole queue when the transaction could not begin.
      for (const { reject } of taken.length > 0 ? taken : [...urgent.splice(0), ...queue.splice(0)]) reject(error)
    }
  }

  return (item, isUrgent = false) =>
    new Promise((resolve, reject) => {
      const callers = isUrgent ? urgent : queue
      callers.push({ item, resolve, reject })
      if (running < lanes) void runLane()
    })
}

/** Limits of one commit of the embedded store, in callers and milliseconds: its first caller waits until the last one is done. */
const maxCallers = 64
const maxDuration = 50
/** Callers of a commit with urgent work, which needs the thread again soon afterwards. */
const maxCallersBesideUrgent = 8
/** Milliseconds after a commit that failed in which callers commit alone: on a full disk, a shared commit fails the reads in it. */
const aloneFor = 10_000

interface Work {
  readonly run: (tx: StoreTransaction) => Promise<unknown>
  readonly isUrgent: boolean
}

/** Runs `work` in a transaction that it shares with concurrent callers. */
export type SharedTransaction = <Result>(
  work: (tx: StoreTransaction) => Promise<Result>,
  isUrgent?: boolean,
) => Promise<Result>

/**
 * The embedded store has one writer. Concurrent callers therefore share one transaction: each runs in a savepoint of its
 * own, one after the other, and gets its result after the commit.
 */
export function createSharedTransaction(store: Store): SharedTransaction {
  let failedAt = Number.NEGATIVE_INFINITY
  const commit = createGroupCommit<Work, unknown>({
    lanes: 1,
    async commit(next) {
      try {
        return await commitInSavepoints(store, next, performance.now() - failedAt < aloneFor ? 1 : maxCallers)
      } catch (error) {
        failedAt = performance.now()
        throw error
      }
    },
    fullAt: maxCallers,
  })
  const run = (work: Work['run'], isUrgent = false) => commit({ run: work, isUrgent }, isUrgent)
  return run as SharedTransaction
}

/** Runs each transaction by itself, for a store whose callers come one after the other: there is no commit to share. */
export function createLoneTransaction(store: Store): SharedTransaction {
  return work => inTransactionAtOnce(store, work)
}

function commitInSavepoints(
  store: Store,
  next: () => Work | undefined,
  callers: number,
): Promise<readonly PromiseSettledResult<unknown>[]> {
  return inTransactionAtOnce(store, async (tx, connection) => {
    const outcomes: PromiseSettledResult<unknown>[] = []
    const startedAt = performance.now()
    let limit = callers
    for (let work = next(); work !== undefined; work = next()) {
      if (work.isUrgent) limit = Math.min(limit, maxCallersBesideUrgent)
      outcomes.push(await runInSavepoint(connection, () => work.run(tx)))
      if (outcomes.length >= limit || performance.now() - startedAt > maxDuration) break
    }
    return outcomes
  })
}

/** Runs one caller and rolls a failure back. */
async function runInSavepoint(
  connection: EmbeddedConnection,
  run: () => Promise<unknown>,
): Promise<PromiseSettledResult<unknown>> {
  connection.beginSavepoint()
  try {
    const value = await run()
    connection.releaseSavepoint()
    return { status: 'fulfilled', value }
  } catch (reason) {
    try {
      connection.rollBackSavepoint()
    } catch {
      // The whole transaction is rolled back already, and this is why.
      throw reason
    }
    return { status: 'rejected', reason }
  }
}

/**
 * Runs `work` in a transaction whose statements are executed at once. In a transaction of Kysely, each one needs a dozen
 * promises.
 */
function inTransactionAtOnce<Result>(
  store: Store,
  work: (tx: StoreTransaction, connection: EmbeddedConnection) => Promise<Result>,
): Promise<Result> {
  const executor = store.getExecutor()
  return executor.provideConnection(async connection => {
    if (!(connection instanceof EmbeddedConnection)) throw new Error('The store must be an embedded one.')
    const direct = new DirectExecutor(executor, connection)
    connection.begin()
    try {
      const result = await work(new DirectTransaction(direct), connection)
      connection.commit()
      return result
    } catch (error) {
      connection.rollBack()
      throw error
    } finally {
      direct.end()
    }
  })
}

const dialect = dialectOf(() => {
  throw new Error('A transaction opens no connection.')
})
/** Parts of Kysely that a transaction does not use. */
const unused = { config: { dialect }, dialect, driver: dialect.createDriver() }

/** A transaction whose compiled queries need one promise each. */
class DirectTransaction extends Transaction<Tables> {
  readonly #executor: DirectExecutor

  constructor(executor: DirectExecutor) {
    super({ ...unused, executor })
    this.#executor = executor
  }

  override executeQuery<Row>(query: CompiledQuery<Row> | Compilable<Row>): Promise<QueryResult<Row>> {
    return this.#executor.executeQuery('sql' in query ? query : query.compile())
  }
}

/** Executes the statements of one transaction on its connection. */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #connection: EmbeddedConnection
  #hasEnded = false

  constructor(executor: QueryExecutor, connection: EmbeddedConnection) {
    const compiler = { compileQuery: executor.compileQuery.bind(executor) }
    super(compiler as QueryCompiler, executor.adapter, { provideConnection: consume => consume(this.#open()) })
    this.#connection = connection
  }

  override async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#open().execute(query)
  }

  end(): void {
    this.#hasEnded = true
  }

  /** @throws Error after the end of the transaction */
  #open(): EmbeddedConnection {
    if (this.#hasEnded) throw new Error('The transaction has ended.')
    return this.#connection
  }
}
