import type { TestProject } from 'vitest/node'
import { openStore } from '../../service/store/index.ts'
import { startPostgres } from './postgresServer.ts'

declare module 'vitest' {
  // What tests get by `inject('postgres')`; nothing where the store is the embedded one.
  interface ProvidedContext {
    postgres?: {
      /** The URL of its own database. */
      url: string
      /** The name of a database with all tables and no rows. */
      template: string
    }
  }
}

const template = 'lockerflow_template'

/** Gives the tests one PostgreSQL for the whole run, with a list of databases that are free. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  await server.run(`create database ${template}`, 'create table free_databases (name text primary key)')
  await (await openStore(server.urlOf(template))).destroy()
  project.provide('postgres', { url: server.urlOf('postgres'), template })
  return server.remove
}
