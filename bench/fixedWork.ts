// Work that no change of the project touches: its rate tells the speed of the machine from that of the program.
import { DatabaseSync } from 'node:sqlite'
import { fastify } from 'fastify'

/** A piece of work, in this process and on one core. */
export interface FixedWork {
  /** Does the work a number of times. */
  run(times: number): Promise<void>
  close(): Promise<void>
}

/** Requests and statements of one piece of work: those of a simulated loan, in round numbers. */
const requests = 10
const writes = 20
const reads = 50

/** Opens a route of Fastify that is called without a socket, and a table of SQLite in memory. */
export async function openFixedWork(): Promise<FixedWork> {
  const app = fastify()
  app.post('/', async ({ body }) => ({ success: true, received: body }))
  await app.ready()
  const database = new DatabaseSync(':memory:')
  database.exec('create table rows (seq integer primary key, name text unique, state text, body text)')
  database.exec('create index rows_by_state on rows (state, seq)')
  const [insert, find, empty] = [
    'insert into rows (name, state, body) values (?, ?, ?)',
    'select * from rows where name = ?',
    'delete from rows',
  ].map(sql => database.prepare(sql))
  const payload = { shipmentUid: 'x', Dimension: { width: 1, height: 2, length: 3 }, Details: { Notes: 'a parcel' } }

  async function once(): Promise<void> {
    for (let n = 0; n < requests; n++) await app.inject({ method: 'POST', url: '/', payload })
    for (let n = 0; n < writes; n++) insert?.run(`name ${n}`, `state ${n % 4}`, JSON.stringify(payload))
    for (let n = 0; n < reads; n++) find?.all(`name ${n % writes}`)
    empty?.run()
  }

  return {
    async run(times) {
      for (let n = 0; n < times; n++) await once()
    },
    async close() {
      database.close()
      await app.close()
    },
  }
}
