import { onTestFinished } from 'vitest'
import type { Settings } from '#service'
import { type PostgresServer, startPostgres } from '../../setup/postgresServer.ts'
import { startTestService, type TestService } from '../harness.ts'
import { topology } from '../places.ts'

/** Waits that a test can sit out, in milliseconds. */
const delivery = { firstRetry: 20, longestRetry: 100, poll: 50, timeout: 1_000 }

/** Several services, as several processes of an installation, on one database. */
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

/** A PostgreSQL of a test's own, whose plug it may pull, with an empty database. */
export async function startOwnPostgres(): Promise<{ server: PostgresServer; databaseUrl: string }> {
  const server = await startPostgres({ durable: true })
  onTestFinished(() => server.remove())
  await server.run('create database lockerflow')
  return { server, databaseUrl: server.urlOf('lockerflow') }
}
