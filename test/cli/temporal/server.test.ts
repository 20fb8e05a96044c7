import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTemporalCommand, startTemporalServer, type TemporalServer } from '../../../cli/temporal/index.ts'
import { eventually } from '../../support/eventually.ts'

const callers = 20
const requests = 1_000
/** The longest that a caller waits, in milliseconds: about as long as an answer takes. */
const maxWait = 6

/** Milliseconds for all requests: 20,000 of them take 45 s on two busy cores, and minutes beside other processes. */
const timeout = 900_000

const command = await findTemporalCommand(line => console.error(line))
let folder: string
let server: TemporalServer
let connection: Connection

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-server-'))
  server = await startTemporalServer({
    command,
    databaseFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    ip: '127.0.0.1',
    namespace: 'default',
    headless: true,
    progress: line => console.error(line),
  })
  connection = Connection.lazy({ address: server.address, interceptors: [] })
})

afterAll(async () => {
  await connection.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const ask = () => connection.workflowService.describeNamespace({ namespace: 'default' })

// The released command does not recover: it must be restarted (docs/explanation/architecture.md).
test.skipIf(!command.includes('-built'))(
  'the server goes on after requests that were given up',
  { timeout },
  async () => {
    const given = await Promise.all(Array.from({ length: callers }, caller))
    expect(Math.max(...given)).toBeGreaterThan(0)
    // So many requests go past the server's limit of a second; once that is over it answers, or never again.
    const answer = await eventually(() => ask().catch(() => undefined))
    expect(answer).toMatchObject({ namespaceInfo: { name: 'default' } })
  },
)

/** Asks and gives up, at moments that are spread over the time that an answer takes; tells how often it gave up. */
async function caller(_: unknown, first: number): Promise<number> {
  let given = 0
  for (let n = 0; n < requests; n += 1) {
    const wait = 1 + ((first + n) % maxWait)
    await connection.withDeadline(Date.now() + wait, ask).catch(() => {
      given += 1
    })
  }
  return given
}
