import { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import { type CheckpointThread, ending } from './checkpoints.ts'

// Entry point of the thread that makes the checkpoints of a database.

const { path, due } = workerData as CheckpointThread
const database = new DatabaseSync(path, { timeout: 0 })
database.exec('pragma synchronous = full')
for (let made = 0; made !== ending; made = Atomics.load(due, 0)) {
  if (made > 0) checkpoint()
  Atomics.wait(due, 0, made)
}
database.close()

/** Copies committed pages up to the first that a reader still needs, and waits for no lock. */
function checkpoint(): void {
  try {
    database.exec('pragma wal_checkpoint(passive)')
  } catch {
    // The disk is full, for example. The pages stay in the log until a later checkpoint.
  }
}
