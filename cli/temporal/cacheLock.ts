import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds between two attempts to get the lock. */
const pause = 200

/** The code of SQLite for a file that another connection has locked. */
const busy = 5

/**
 * Runs a task of the cache while no other process runs one of this name. The operating system releases the lock of a
 * process that has died, which it does not for a file with a process number (D-518).
 * @param onWait called once if another process has the lock
 */
export async function withCacheLock<Result>(
  cacheFolder: string,
  { name, onWait }: { readonly name: string; readonly onWait: () => void },
  task: () => Promise<Result>,
): Promise<Result> {
  await mkdir(cacheFolder, { recursive: true })
  const lock = new DatabaseSync(join(cacheFolder, `${name}.lock`), { timeout: 0 })
  try {
    for (let waits = false; !tryLock(lock); waits = true) {
      if (!waits) onWait()
      await delay(pause)
    }
    return await task()
  } finally {
    lock.close()
  }
}

/** Returns false if another process has the lock. On a file system without locks, each process gets it. */
function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    return !(error instanceof Error && 'errcode' in error && error.errcode === busy)
  }
}
