import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { temporalBuild } from '../../test/cluster/temporalBuild.ts'
import { composeVersion, startTemporalOn } from '../../test/cluster/temporalOnPostgres.ts'
import { type OwnTemporal, startOwnTemporal } from '../../test/support/servers/ownTemporal.ts'
import { startPostgres } from '../../test/support/setup/postgresServer.ts'

/** As in docker-compose.yml: each of the server's four parts opens up to 30. */
const connections = 250

/** The servers on which the flows are measured. */
export const temporals = { dev: () => startOwnTemporal(), postgres: startOnPostgres }

export type TemporalName = keyof typeof temporals

/** The server of docker-compose.yml on PostgreSQL with durable commits. Go builds it once per machine. */
async function startOnPostgres(): Promise<OwnTemporal> {
  const build = await temporalBuild(composeVersion, console.error)
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'))
  const server = await startPostgres({ durable: true, settings: [`max_connections=${connections}`] })
  async function removeAll(): Promise<void> {
    await server.remove()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const { part, temporal } = await startTemporalOn(server, build, folder)
    return {
      temporal,
      async stop() {
        await part.stop()
        await removeAll()
      },
    }
  } catch (error) {
    await removeAll()
    throw error
  }
}
