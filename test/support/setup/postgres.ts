import type { TestProject } from 'vitest/node'
import { openStore } from '../../../service/store/index.ts'
import { readSchema, type Schema } from './postgresSchema.ts'
import { connected, startPostgres } from './postgresServer.ts'
import { shareServer } from './sharedServer.ts'

declare module 'vitest' {
  // The value of `inject('postgres')` in tests; undefined with the embedded store.
  interface ProvidedContext {
    postgres?: {
      /** The URL of its own database. */
      url: string
      /** The name of a database with all tables and no rows. */
      template: string
      schema: Schema
    }
  }
}

const template = 'lockerflow_template'

/** Provides one PostgreSQL for the whole run, with a list of free databases. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { value, stop } = await shareServer('postgres', start)
  project.provide('postgres', value)
  return stop
}

async function start() {
  const server = await startPostgres()
  await server.run(`create database ${template}`, 'create table free_databases (name text primary key)')
  await (await openStore(server.urlOf(template))).destroy()
  const schema = await connected(server.urlOf(template), readSchema)
  return { value: { url: server.urlOf('postgres'), template, schema }, stop: server.remove }
}
