import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { startSite } from '../../../support/service/site.ts'

test('doors that hang, and changes that wait for them, occupy no connection', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<boolean>()
  let asked = 0
  const hardware = {
    open() {
      asked++
      return opened
    },
  }
  // As many doors as there are lockers for them, and the fewest connections that a service can have.
  const site = await startSite({ hardware, unlockTimeout: 30_000, lockTimeout: 30_000, connections: 2 })
  const letters = ['a', 'b', 'c']
  for (const _ of letters) await site.run('Issue')
  const openings = letters.map(letter => site.run(`unlock DropOff ${letter}`))
  await vi.waitFor(() => expect(asked).toBe(letters.length), { timeout: 20_000 })
  const waiting = letters.map(letter => site.run(`setDetails ${letter}`))

  const { store } = site.world.service
  const inTransactions = sql`
    select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`
  await vi.waitFor(async () => expect((await inTransactions.execute(store)).rows).toHaveLength(0), { timeout: 20_000 })
  expect((await site.run('Stock')).body.error).toBeNull()

  open(true)
  const responses = await Promise.all([...openings, ...waiting])
  expect(responses.map(({ body }) => body.error)).toEqual([...letters, ...letters].map(() => null))
})
