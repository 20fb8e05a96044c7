import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createShares as createWith, type RunInShare } from '#platform/limits'

/** The default number of connections. */
const capacity = 16
const overloaded = new Error('overloaded')
const create = (capacity: number) => createWith(capacity, () => overloaded)
const createShares = () => create(capacity).run

/** Starts `count` pieces of work of a tenant that end when the test says so. */
function startWorks(run: RunInShare, tenantId: string, count: number, weight = 1) {
  const ends: (() => void)[] = []
  const order: number[] = []
  const results = Array.from({ length: count }, (_, index) =>
    run(tenantId, weight, () => {
      order.push(index)
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.push(resolve)
      return promise
    }),
  )
  return { order, results, started: () => ends.length, end: (index: number) => ends[index]?.() }
}

/** A tenant beside the measured one, with work that does not end. */
const besideAnother = (run: RunInShare) => startWorks(run, 'other', 1)

test('a tenant alone has no limit', () => {
  expect(startWorks(createShares(), 'acme', 600).started()).toBe(600)
})

test.each([
  { tenants: 2, weight: 1, started: 8 },
  { tenants: 2, weight: 4, started: 1 },
  { tenants: 2, weight: 100, started: 1 },
  { tenants: 4, weight: 1, started: 4 },
  { tenants: 40, weight: 1, started: 4 },
])(
  'of $tenants tenants, each runs $started pieces of work of weight $weight at once',
  ({ tenants, weight, started }) => {
    const run = createShares()
    for (let tenant = 1; tenant < tenants; tenant++) startWorks(run, `tenant ${tenant}`, 1)
    expect(startWorks(run, 'acme', 20, weight).started()).toBe(started)
  },
)

test.each([
  { connections: 8, tenants: 2, started: 4 },
  { connections: 4, tenants: 2, started: 2 },
  { connections: 4, tenants: 40, started: 2 },
  { connections: 1, tenants: 2, started: 1 },
  { connections: 32, tenants: 2, started: 16 },
])(
  'with $connections connections, each of $tenants tenants runs $started pieces of work at once',
  ({ connections, tenants, started }) => {
    const { run } = create(connections)
    for (let tenant = 1; tenant < tenants; tenant++) startWorks(run, `tenant ${tenant}`, 1)
    expect(startWorks(run, 'acme', 20).started()).toBe(started)
  },
)

test('work beyond the share starts in the order of arrival, each piece when one has ended', async () => {
  const run = createShares()
  besideAnother(run)
  const works = startWorks(run, 'acme', 12)
  expect(works.started()).toBe(8)
  works.end(3)
  await vi.waitFor(() => expect(works.started()).toBe(9))
  works.end(0)
  await vi.waitFor(() => expect(works.started()).toBe(10))
  expect(works.order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('light work does not overtake heavy work that waits', async () => {
  const run = createShares()
  besideAnother(run)
  const light = startWorks(run, 'acme', 7)
  const heavy = startWorks(run, 'acme', 1, 4)
  const later = startWorks(run, 'acme', 1)
  expect([heavy.started(), later.started()]).toEqual([0, 0])
  for (const index of [0, 1, 2]) light.end(index)
  await vi.waitFor(() => expect([heavy.started(), later.started()]).toEqual([1, 0]))
})

test('work that fails makes room too', async () => {
  const run = createShares()
  besideAnother(run)
  const failing = Array.from({ length: 8 }, () => run('acme', 1, () => Promise.reject(new Error('refused'))))
  const works = startWorks(run, 'acme', 8)
  expect(works.started()).toBe(0)
  for (const result of failing) await expect(result).rejects.toThrow('refused')
  await vi.waitFor(() => expect(works.started()).toBe(8))
})

test('a tenant with 512 waiting pieces of work gets Unavailable for more, and the others do not', async () => {
  const run = createShares()
  besideAnother(run)
  const works = startWorks(run, 'acme', 8 + 512 + 1)
  await expect(works.results.at(-1)).rejects.toBe(overloaded)
  expect(startWorks(run, 'third', 1).started()).toBe(1)
})

test('a tenant counts for a second after its last request', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const run = createShares()
    await run('other', 1, async () => undefined)
    vi.advanceTimersByTime(999)
    expect(startWorks(run, 'acme', 20).started()).toBe(8)
    const alone = createShares()
    await alone('other', 1, async () => undefined)
    vi.advanceTimersByTime(1_000)
    expect(startWorks(alone, 'acme', 20).started()).toBe(20)
  } finally {
    vi.useRealTimers()
  }
})

test('beside others, heavy work of a tenant runs one piece after the other, and light work beside it', async () => {
  const { run } = create(capacity)
  besideAnother(run)
  const heavy = startWorks(run, 'acme', 3, 4)
  expect(heavy.started()).toBe(1)
  expect(startWorks(run, 'acme', 4).started()).toBe(4)
  heavy.end(0)
  await vi.waitFor(() => expect(heavy.started()).toBe(2))
  heavy.end(1)
  await vi.waitFor(() => expect(heavy.started()).toBe(3))
  expect(heavy.order).toEqual([0, 1, 2])
})

test('the heavy work of a tenant that is alone again starts together', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const { run } = create(capacity)
    await run('other', 1, async () => undefined)
    const heavy = startWorks(run, 'acme', 5, 4)
    expect(heavy.started()).toBe(1)
    vi.advanceTimersByTime(1_000)
    startWorks(run, 'acme', 1)
    heavy.end(0)
    await vi.waitFor(() => expect(heavy.started()).toBe(5))
  } finally {
    vi.useRealTimers()
  }
})

test('long work yields until the light work of others has ended, for 25 ms at most', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const { run, yieldToOthers } = create(capacity)
    startWorks(run, 'acme', 1)
    startWorks(run, 'other', 1, 4)
    // Neither its own work nor heavy work of others counts.
    await yieldToOthers('acme')
    const light = startWorks(run, 'other', 2)
    const given = vi.fn()
    const first = yieldToOthers('acme').then(given)
    light.end(0)
    await delay(20)
    expect(given).not.toHaveBeenCalled()
    light.end(1)
    await first
    startWorks(run, 'other', 1)
    const second = yieldToOthers('acme').then(given)
    vi.advanceTimersByTime(24)
    await delay(20)
    expect(given).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    await second
  } finally {
    vi.useRealTimers()
  }
})

test('heavy work yields for as long as the piece before took', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const { run } = create(capacity)
    const first = startWorks(run, 'acme', 1, 4)
    vi.advanceTimersByTime(10)
    first.end(0)
    await first.results[0]
    besideAnother(run)
    const second = startWorks(run, 'acme', 1, 4)
    vi.advanceTimersByTime(9)
    await delay(20)
    expect(second.started()).toBe(0)
    vi.advanceTimersByTime(1)
    await vi.waitFor(() => expect(second.started()).toBe(1))
  } finally {
    vi.useRealTimers()
  }
})

test('parts of long work rest beside other tenants for as long as the part before took, 25 ms at most', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const { run, pace } = create(capacity)
    const pause = pace('acme')
    /** Ends a part that took this long, and returns the milliseconds of the rest. */
    const rest = async (took: number) => {
      vi.advanceTimersByTime(took)
      const startedAt = process.hrtime.bigint()
      await pause()
      return Number(process.hrtime.bigint() - startedAt) / 1_000_000
    }
    const isAtOnce = async (took: number) => {
      vi.advanceTimersByTime(took)
      const done = vi.fn()
      const ended = pause().then(done)
      for (let step = 0; step < 10; step++) await Promise.resolve()
      const atOnce = done.mock.calls.length === 1
      await ended
      return atOnce
    }
    expect(await isAtOnce(0)).toBe(true)
    expect(await isAtOnce(10)).toBe(true)
    await run('other', 1, async () => undefined)
    expect(await rest(10)).toBeGreaterThan(9)
    // The timer of the shorter rest fires first, even after a pause of the machine.
    const longer = delay(890, 'longer', { ref: false })
    expect(await Promise.race([rest(900), longer])).toBeGreaterThan(24)
    vi.advanceTimersByTime(1_000)
    expect(await isAtOnce(10)).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})
