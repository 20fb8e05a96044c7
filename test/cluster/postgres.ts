import { type PostgresServer, startPostgres } from '../support/setup/postgresServer.ts'
import type { Container } from './cluster.ts'
import { databaseStatements } from './databases.ts'
import type { Part } from './part.ts'

/**
 * A real PostgreSQL with the settings of the container's command, and the databases of deploy/docker/databases.sql.
 * @param secrets the folder in place of /run/secrets
 */
export async function startDatabase({ name, service }: Container, secrets: string) {
  const server: PostgresServer = await startPostgres({ durable: true, settings: settingsOf(service.command ?? []) })
  await server.run(...databaseStatements(secrets))
  const part: Part = {
    name,
    start: server.start,
    kill: server.kill,
    // The cluster removes it, together with its files, after everything else.
    stop: async () => undefined,
  }
  return { server, part, address: `127.0.0.1:${server.port}` }
}

/** Returns `a=b` for every `-ca=b`. */
function settingsOf(command: readonly string[]): string[] {
  return command.flatMap(word => /^-c(.+=.*)$/.exec(word)?.[1] ?? [])
}
