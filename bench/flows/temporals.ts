import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { temporalBuild } from '../../test/cluster/temporalBuild.ts'
import { composeVersion, startTemporalOn } from '../../test/cluster/temporalOnPostgres.ts'
import { startOwnTemporal } from '../../test/support/servers/ownTemporal.ts'
import { startPostgres } from '../../test/support/setup/postgresServer.ts'
import type { Temporal } from '../../test/support/world/settings.ts'
import { readTreeSeconds } from '../processors.ts'

/** As in docker-compose.yml: each of the server's four parts opens up to 30. */
const connections = 250

/** A Temporal server, and its store. */
export interface MeasuredTemporal {
  readonly temporal: Temporal
  /** Processor seconds of the server and its store; zero without /proc. */
  seconds(): number
  stop(): Promise<void>
}

/** The servers on which the flows are measured. */
export const temporals = { dev: startDevServer, postgres: startOnPostgres }

export type TemporalName = keyof typeof temporals

async function startDevServer(): Promise<MeasuredTemporal> {
  const { folder, ...own } = await startOwnTemporal()
  return { ...own, seconds: () => readTreeSeconds(folder) }
}

/** The server of docker-compose.yml on PostgreSQL with durable commits. Go builds it once per machine. */
async function startOnPostgres(): Promise<MeasuredTemporal> {
  const build = await temporalBuild(composeVersion, console.error)
  const server = await startPostgres({ durable: true, settings: [`max_connections=${connections}`] })
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'))
  async function removeAll(): Promise<void> {
    await server.remove()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const { part, temporal } = await startTemporalOn(server, build, folder)
    return {
      temporal,
      seconds: () => readTreeSeconds(build.server) + readTreeSeconds(server.folder),
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
