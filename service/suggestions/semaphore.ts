import { OperationError } from '../operationError.ts'

/** Runs work once a slot is free. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Limits concurrent work and the queue for it.
 * @throws OperationError Unavailable when the queue is full
 */
export function createSemaphore({
  concurrency,
  queueLength,
}: {
  readonly concurrency: number
  readonly queueLength: number
}): Semaphore {
  const queue: (() => void)[] = []
  let running = 0
  return async work => {
    if (running >= concurrency) {
      if (queue.length >= queueLength)
        throw new OperationError('Unavailable', 'The service is reading too many files; try again later.')
      // The finishing work passes its slot on, so that new work cannot overtake the queue.
      await new Promise<void>(resolve => void queue.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
