// Work that no change of the project touches: its rate tells the speed of the machine from that of the program. It has a process of
// its own, because its code, its garbage and what V8 learns from it would slow down the work beside it. The result of a job is its
// processor seconds.
import { DatabaseSync } from 'node:sqlite'
import { fastify } from 'fastify'
import { serveJobs } from './child.ts'
import { secondsOfWork } from './processors.ts'

export interface FixedWorkJob {
  readonly times: number
}

/** Requests and statements of one piece of work: those of a simulated loan, in round numbers. */
const requests = 10
const writes = 20
const reads = 50

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

serveJobs<FixedWorkJob, number>(({ times }) =>
  secondsOfWork(async () => {
    for (let n = 0; n < times; n++) await workOnce()
  }),
)

async function workOnce(): Promise<void> {
  for (let n = 0; n < requests; n++) await app.inject({ method: 'POST', url: '/', payload })
  for (let n = 0; n < writes; n++) insert?.run(`name ${n}`, `state ${n % 4}`, JSON.stringify(payload))
  for (let n = 0; n < reads; n++) find?.all(`name ${n % writes}`)
  empty?.run()
}
