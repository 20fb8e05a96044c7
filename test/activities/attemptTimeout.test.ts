import { asyncLocalStorage, type Context } from '@temporalio/activity'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Api } from '#contract/client'
import { withinTimeout } from '../../activities/attemptTimeout.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** The signals with which an attempt without an end calls the service. */
function attempt(startToCloseTimeoutMs: number | undefined, cancelled?: AbortSignal) {
  const signals: (AbortSignal | undefined)[] = []
  const note = (options?: { signal?: AbortSignal }) => {
    signals.push(options?.signal)
    return new Promise<never>(() => {})
  }
  const api = {
    call: (_name: string, _request: object, options: object) => note(options),
    upload: (_name: string, _request: object, _file: object, options: object) => note(options),
  } as unknown as Api
  const info = { startToCloseTimeoutMs }
  const work = (abortable: Api, signal: AbortSignal) => {
    signals.push(signal)
    void abortable.upload('UploadAccountSuggestions', {} as never, {} as never)
    return abortable.call('GetShipments', {})
  }
  const run = () => withinTimeout(api, work, cancelled)
  const ended = startToCloseTimeoutMs === undefined ? run() : asyncLocalStorage.run({ info } as Context, run)
  const failure = ended.catch((error: unknown) => error)
  return { failure, signals, aborted: () => signals.map(signal => signal?.aborted) }
}

test.each([
  ['a tenth of the timeout', 100, 90],
  ['half a second', 30_000, 29_500],
  ['as much as a timer of Node allows', 2 ** 40, 2 ** 31 - 1],
])('an attempt ends earlier than its timeout, by %s, and may have taken effect', async (_, timeout, end) => {
  const { failure, aborted } = attempt(timeout)
  await vi.advanceTimersByTimeAsync(end - 1)
  expect(aborted()).toEqual([false, false, false])
  await vi.advanceTimersByTimeAsync(1)
  expect(aborted()).toEqual([true, true, true])
  expect(await failure).toMatchObject({
    type: 'NoResponse',
    nonRetryable: false,
    message: expect.stringContaining(`The attempt had no response within ${end} ms.`),
    details: [{ outcomeUnknown: true }],
  })
})

test('a cancellation aborts the calls of an attempt, and does not end it', async () => {
  const cancellation = new AbortController()
  const { aborted } = attempt(30_000, cancellation.signal)
  expect(aborted()).toEqual([false, false, false])
  cancellation.abort()
  expect(aborted()).toEqual([true, true, true])
  expect(vi.getTimerCount()).toBe(1)
})

test('an attempt without a context of the SDK has no timeout', () => {
  attempt(undefined)
  expect(vi.getTimerCount()).toBe(0)
})

test('an attempt that ends leaves no timer behind', async () => {
  const info = { startToCloseTimeoutMs: 30_000 }
  const run = () => withinTimeout({} as Api, async () => 'done')
  expect(await asyncLocalStorage.run({ info } as Context, run)).toBe('done')
  expect(vi.getTimerCount()).toBe(0)
})
