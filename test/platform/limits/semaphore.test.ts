import { expect, test } from 'vitest'
import { createSemaphore } from '#platform/limits'

/** Waits for a place and notes when it has it. */
function begin(semaphore: ReturnType<typeof createSemaphore>, begun: string[], name: string, signal?: AbortSignal) {
  return semaphore(name.charAt(0), signal).then(free => {
    begun.push(name)
    return free
  })
}

const settled = () => new Promise(resolve => setImmediate(resolve))

test('work begins in the order of arrival, and a key with all of its places does not delay others', async () => {
  const semaphore = createSemaphore({ perKey: 2, total: 3 })
  const begun: string[] = []
  const frees = await Promise.all(['a1', 'a2'].map(name => begin(semaphore, begun, name)))
  for (const name of ['a3', 'b1', 'c1', 'b2']) void begin(semaphore, begun, name)
  await settled()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  frees[0]?.()
  // Not overtaken by work that arrives when the place is free.
  void begin(semaphore, begun, 'd1')
  await settled()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  frees[1]?.()
  frees[1]?.()
  await settled()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'c1'])
})

test('the queue of a key has a bound', async () => {
  const full = new Error('full')
  const semaphore = createSemaphore({ perKey: 1, queue: { maxWaiting: 1, toError: () => full } })
  const free = await semaphore('a')
  const second = semaphore('a')
  await expect(semaphore('a')).rejects.toBe(full)
  await semaphore('b')
  free()
  await second
  const third = semaphore('a')
  ;(await second)()
  await third
})

test('work whose signal aborts waits no longer', async () => {
  const semaphore = createSemaphore({ perKey: 1, queue: { maxWaiting: 1, toError: () => new Error('full') } })
  const free = await semaphore('a')
  const gone = new AbortController()
  const second = semaphore('a', gone.signal)
  gone.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  await expect(semaphore('a', gone.signal)).rejects.toThrow('gone')
  const third = semaphore('a')
  free()
  await third
})
