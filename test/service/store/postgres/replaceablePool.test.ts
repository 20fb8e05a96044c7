import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { ReplaceablePool } from '../../../../service/store/postgres/replaceablePool.ts'

test('replaced connections serve no other statement, and a second replacement waits until a second is over', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const pool = new ReplaceablePool({ connectionString: inject('postgres')?.url })
  onTestFinished(() => pool.end())
  /** Returns the sessions of two connections that are in use at once. */
  async function readSessions(): Promise<unknown[]> {
    const clients = await Promise.all([pool.connect(), pool.connect()])
    const results = await Promise.all(clients.map(client => client.query('select pg_backend_pid() as pid')))
    for (const client of clients) client.release()
    return results.map(({ rows }) => rows[0].pid).toSorted()
  }
  const first = await readSessions()
  expect(await readSessions()).toEqual(first)

  pool.replaceAll()
  const second = await readSessions()
  expect(second.filter(pid => first.includes(pid))).toEqual([])
  pool.replaceAll()
  expect(await readSessions()).toEqual(second)

  vi.advanceTimersByTime(1_000)
  expect((await readSessions()).filter(pid => second.includes(pid))).toEqual([])
})

test('a connection that is in use during a replacement finishes its work, and serves no other', async () => {
  const pool = new ReplaceablePool({ connectionString: inject('postgres')?.url, max: 1 })
  onTestFinished(() => pool.end())
  const client = await pool.connect()
  const waiting = pool.connect()
  pool.replaceAll()
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  client.release()
  const next = await waiting
  expect(next).not.toBe(client)
  expect(pool.totalCount).toBe(1)
  next.release()
})
