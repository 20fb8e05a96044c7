import { PreparedStatementsClient } from './preparedStatements.ts'

/**
 * A connection that sends statements without waiting for the results of earlier ones, and several of them in one write.
 * Writing to sockets is the largest part of a short transaction's cost.
 */
export class PipelinedClient extends PreparedStatementsClient {
  /** Settles with the start of a transaction; undefined outside of one and after it has begun. */
  #beginning: Promise<unknown> | undefined
  /** A statement waits for the start of the transaction, so those after it do, too. */
  #isWaiting = false
  #isCorked = false
  /** The first error of the transaction. PostgreSQL refuses all statements after it. */
  #failure: unknown

  override query(...args: unknown[]): never {
    const [text] = args
    const beginning = this.#beginning
    // If the start failed, the next statement would be committed by itself. Only a select may follow at once.
    if (beginning !== undefined && (this.#isWaiting || !String(text).startsWith('select'))) {
      this.#isWaiting = true
      return beginning.then(() => this.#send(args)) as never
    }
    const result = this.#send(args)
    if (typeof text === 'string' && text.startsWith('start transaction')) this.#begin(result)
    return result as never
  }

  #begin(beginning: Promise<unknown>): void {
    this.#beginning = beginning
    this.#isWaiting = false
    this.#failure = undefined
    const end = () => {
      this.#beginning = undefined
    }
    beginning.then(end, end)
  }

  #send(args: unknown[]): Promise<unknown> {
    if (!this.#isCorked) {
      const { stream } = this.connection
      this.#isCorked = true
      stream.cork()
      // After all promises that are settled by now.
      process.nextTick(() => {
        this.#isCorked = false
        stream.uncork()
      })
    }
    const result = super.query(...args) as Promise<unknown>
    return result.catch(error => this.#fail(error))
  }

  /** A statement that was sent after a failed one reports the cause, since perhaps no caller awaits the failed one. */
  #fail(error: unknown): never {
    const isConsequence = (error as { code?: unknown })?.code === abortedTransaction
    if (!isConsequence) this.#failure = error
    throw isConsequence ? (this.#failure ?? error) : error
  }
}

/** SQLSTATE of every statement after the one that failed. */
export const abortedTransaction = '25P02'
