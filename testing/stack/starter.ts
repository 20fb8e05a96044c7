import { unlessAborted } from '#platform/interruption'
import type { Progress } from '../temporal/index.ts'

/** Starts parts one after another, and stops them in the other direction. */
export interface Starter {
  /**
   * Waits for a part.
   * @param end stops it
   * @throws the reason of an interruption
   */
  start<Part>(name: string, starting: Promise<Part>, end: (part: Part) => Promise<unknown>): Promise<Part>
  /** Adds something that needs no wait. */
  add(end: () => Promise<unknown>): void
  /** Waits for a later state of a part. @throws the reason of an interruption */
  wait<Value>(awaited: Promise<Value>): Promise<Value>
  /** Stops every part, even after one that fails to stop. @throws the first failure */
  stop(): Promise<void>
}

export function createStarter(
  progress: Progress = () => undefined,
  interrupted: AbortSignal = new AbortController().signal,
): Starter {
  const ends: (() => Promise<unknown>)[] = []
  const wait = <Value>(awaited: Promise<Value>) => unlessAborted(awaited, interrupted)
  return {
    wait,
    add: end => void ends.push(end),
    async start(name, starting, end) {
      progress(`starting ${name}`)
      const part = await wait(starting)
      ends.push(() => end(part))
      return part
    },
    async stop() {
      const failures: unknown[] = []
      for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
        await end().catch(error => failures.push(error))
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
