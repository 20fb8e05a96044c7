import { onTestFinished } from 'vitest'
import type { Settings } from '#service'
import { startTestService, type TestService } from '../service/testService.ts'
import { topology } from '../service/topology.ts'
import { type PostgresServer, startPostgres } from '../setup/postgresServer.ts'

/** Milliseconds; short enough to wait for in a test. */
const delivery = { initialInterval: 20, maximumInterval: 100, pollInterval: 50 }

/** Several services on one database, like the processes of one installation. */
export async function startServices(
  count: number,
  databaseUrl: string,
  overrides: Partial<Settings> = {},
): Promise<TestService[]> {
  const publicUrl = 'https://lockers.example'
  const start = () => startTestService({ databaseUrl, topology, publicUrl, delivery, ...overrides })
  const services = await Promise.all(Array.from({ length: count }, start))
  onTestFinished(async () => {
    await Promise.all(services.map(service => service.stop()))
  })
  return services
}

/** A PostgreSQL for one test, which may kill it, with an empty database. */
export async function startOwnPostgres(): Promise<{ server: PostgresServer; databaseUrl: string }> {
  const server = await startPostgres({ durable: true })
  onTestFinished(() => server.remove())
  await server.run('create database lockerflow')
  return { server, databaseUrl: server.urlOf('lockerflow') }
}
