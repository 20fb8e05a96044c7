import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { databaseStatements } from '../cluster/databases.ts'
import type { Part } from '../cluster/part.ts'
import { setUpSchema, temporalServer } from '../cluster/temporal.ts'
import { findTemporalBuild, type TemporalBuild } from '../cluster/temporalBuild.ts'
import { root } from '../project/sources.ts'
import { childEnvironment } from '../support/childEnvironment.ts'
import type { PostgresServer } from '../support/setup/postgresServer.ts'
import type { Temporal } from '../support/world/settings.ts'

const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'))
const { image, environment, ...service } = services.temporal

/** Temporal's server of docker-compose.yml, which `npm run test:cluster` builds once per machine; undefined before that. */
export const temporalBuild = findTemporalBuild(image.split(/[:@]/)[1])

const passwords = { TEMPORAL_DATABASE_PASSWORD: 'temporal', LOCKERFLOW_DATABASE_PASSWORD: 'lockerflow' }

/** Creates the databases of docker-compose.yml, prepares Temporal on them, and starts it. It ends with the test. */
export async function startTemporalOn(
  { port, run }: PostgresServer,
  build: TemporalBuild,
  folder: string,
): Promise<{ readonly part: Part; readonly temporal: Temporal }> {
  await run(...databaseStatements(passwords))
  const { TEMPORAL_DATABASE_PASSWORD: password } = passwords
  const sql = {
    ...services['temporal-schema'].environment,
    ...{ SQL_HOST: '127.0.0.1', SQL_PORT: String(port), SQL_PASSWORD: password },
  }
  await setUpSchema({ environment: sql }, build)
  const here = {
    ...environment,
    ...{ POSTGRES_SEEDS: '127.0.0.1', DB_PORT: String(port), POSTGRES_PWD: password, BIND_ON_IP: '127.0.0.1' },
  }
  const container = { name: 'temporal', service, environment: here }
  const { part, address } = await temporalServer(container, { temporal: build, folder })
  await part.start()
  onTestFinished(() => part.stop())
  const namespace = 'lockerflow'
  const prepared = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, LOCKERFLOW_RETENTION: '30d' }
  await promisify(execFile)(process.execPath, ['worker/prepare.ts'], {
    cwd: root,
    env: { ...childEnvironment, ...prepared },
  })
  return { part, temporal: { address, namespace } }
}
