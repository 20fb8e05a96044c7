import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'

/** Rows that commits have changed when the next checkpoint is due. They are in a few hundred pages. */
const checkpointRows = 500

/**
 * Pages of the write-ahead log from which a commit makes a checkpoint itself. 1,000 is SQLite's default. Beside the thread, a
 * commit has few pages left to copy, and restarts the log.
 */
const checkpointPages = { alone: 1_000, besideThread: 4_000 }

/** MiB. The thread allocates almost nothing. */
const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 }

/** Data for the thread. */
export interface CheckpointThread {
  readonly path: string
  /** One number, how many checkpoints were due. The thread waits until it changes, and ends when it is `ending`. */
  readonly due: Int32Array<SharedArrayBuffer>
}

/** The number of due checkpoints at which the thread ends. */
export const ending = -1

/** The checkpoints of an open database. */
export interface Checkpoints {
  /** Call it after each commit, with the number of rows that it changed. */
  noteCommit(rows: number): void
  /** Waits until the thread has closed its connection. The last connection to close makes a last checkpoint. */
  end(): Promise<void>
}

/**
 * Copies committed pages from the write-ahead log to the file of a database in a thread of their own. The copy waits for
 * the disk, and the thread of the service has requests to serve. The thread starts when the first checkpoint is due.
 */
export function createCheckpoints(path: string, database: DatabaseSync): Checkpoints {
  const due = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  let rowsSince = 0
  let isStarted = false
  let isEnding = false
  let thread: Worker | undefined

  function start(): void {
    isStarted = true
    thread = startThread({ path, due })
    // It does not keep the process alive.
    thread?.unref()
    thread?.once('online', () => setPages(checkpointPages.besideThread))
    thread?.once('error', () => setPages(checkpointPages.alone))
    thread?.once('exit', () => {
      thread = undefined
    })
  }

  function setPages(pages: number): void {
    if (database.isOpen) database.exec(`pragma wal_autocheckpoint = ${pages}`)
  }

  return {
    noteCommit(rows) {
      rowsSince += rows
      if (rowsSince < checkpointRows || isEnding) return
      rowsSince = 0
      Atomics.add(due, 0, 1)
      Atomics.notify(due, 0)
      if (!isStarted) start()
    },
    async end() {
      // A later commit must not replace the number that ends the thread.
      isEnding = true
      Atomics.store(due, 0, ending)
      Atomics.notify(due, 0)
      if (thread === undefined) return
      thread.ref()
      await new Promise(resolve => thread?.once('exit', resolve))
    },
  }
}

/** Undefined if the system or Node's permission model refuses a thread. SQLite's own checkpoints remain then. */
function startThread(workerData: CheckpointThread): Worker | undefined {
  try {
    return new Worker(new URL('./main.ts', import.meta.url), { workerData, env: {}, execArgv: [], resourceLimits })
  } catch {
    return undefined
  }
}
