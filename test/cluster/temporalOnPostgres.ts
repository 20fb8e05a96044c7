import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { childEnvironment } from '../support/childEnvironment.ts'
import { filledExample } from '../support/compose/example.ts'
import { root } from '../support/compose/resolved.ts'
import type { PostgresServer } from '../support/setup/postgresServer.ts'
import type { Temporal } from '../support/world/settings.ts'
import { databaseStatements } from './databases.ts'
import type { Part } from './part.ts'
import { setUpSchema, temporalServer } from './temporal.ts'
import type { TemporalBuild } from './temporalBuild.ts'

const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'))
const { image, environment, ...service } = services.temporal

/** The version of Temporal's server in docker-compose.yml. */
export const composeVersion: string = image.split(/[:@]/)[1]

/**
 * Creates the databases of docker-compose.yml, prepares Temporal on them, and starts it.
 * @param folder of its files. The caller stops the part and removes the folder
 */
export async function startTemporalOn(
  { port, run }: PostgresServer,
  build: TemporalBuild,
  folder: string,
): Promise<{ readonly part: Part; readonly temporal: Temporal }> {
  const { LOCKERFLOW_SECRETS: secrets = '' } = filledExample(join(folder, 'secrets'))
  await run(...databaseStatements(secrets))
  const password = join(secrets, 'temporal-password')
  const sql = {
    ...services['temporal-schema'].environment,
    ...{ SQL_HOST: '127.0.0.1', SQL_PORT: String(port), SQL_PASSWORD_FILE: password },
  }
  await setUpSchema({ environment: sql }, build)
  const here = {
    ...environment,
    ...{ POSTGRES_SEEDS: '127.0.0.1', DB_PORT: String(port), POSTGRES_PWD_FILE: password, BIND_ON_IP: '127.0.0.1' },
  }
  const container = { name: 'temporal', service, environment: here }
  const { part, address } = await temporalServer(container, { temporal: build, folder })
  await part.start()
  const namespace = 'lockerflow'
  const prepared = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, LOCKERFLOW_RETENTION: '30d' }
  try {
    await promisify(execFile)(process.execPath, ['worker/prepare.ts'], {
      cwd: root,
      env: { ...childEnvironment, ...prepared },
    })
  } catch (error) {
    await part.stop()
    throw error
  }
  return { part, temporal: { address, namespace } }
}
