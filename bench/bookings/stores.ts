import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PostgresServer } from '../../test/support/setup/postgresServer.ts'
import type { BookingStore } from './bookings.ts'

/** The embedded store, as a file in the temporary folder. */
export const embedded: BookingStore = {
  name: 'embedded store',
  bare: new URL('./bareSqlite.ts', import.meta.url),
  async make() {
    const folder = mkdtempSync(join(tmpdir(), 'lockerflow-bench-'))
    return {
      bare: join(folder, 'bare.db'),
      databaseUrl: `file:${join(folder, 'service.db')}`,
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    }
  },
}

/** PostgreSQL on the same machine, with durable commits. */
export function postgres(server: PostgresServer): BookingStore {
  let made = 0
  return {
    name: 'PostgreSQL',
    bare: new URL('./barePostgres.ts', import.meta.url),
    async make() {
      const [bare, service] = [`bare_${++made}`, `service_${made}`]
      await server.run(`create database ${bare}`, `create database ${service}`)
      return {
        bare: server.urlOf(bare),
        databaseUrl: server.urlOf(service),
        remove: () => server.run(`drop database ${bare} with (force)`, `drop database ${service} with (force)`),
      }
    },
  }
}

/** One statement on the tables of the service: the upper limit of what PostgreSQL allows the service. */
export const ownTables = {
  name: "one statement on the service's tables",
  bare: new URL('./ownTables.ts', import.meta.url),
}

/** Six statements, each awaited, on bare tables. */
export const sixTrips = {
  name: 'a bare store with six round trips',
  bare: new URL('./sixTrips.ts', import.meta.url),
}

/** The same with what a flow's booking has besides: an idempotency key, and a signed callback that is sent after the commit. */
export const withCallbacks = {
  name: 'a bare store with six round trips, a key and a callback',
  bare: new URL('./withCallbacks.ts', import.meta.url),
}

/** One transaction on the bare tables of a store. */
export const bareStore = (store: BookingStore) => ({ name: 'the bare store', bare: store.bare })
