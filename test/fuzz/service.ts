import { type OperationName, operations } from '#contract'
import { createLog } from '#platform/logs'
import { startService } from '#service'
import { startPostgres } from '../support/setup/postgresServer.ts'
import { runSchemathesis } from './schemathesis.ts'
import { configuration } from './serviceConfiguration.ts'
import { countAnswers, isProven } from './tally.ts'
import { fill, topology } from './world.ts'

/** Operations that generated requests cannot complete, with the reason. */
const unreachable: Partial<Record<OperationName, string>> = {
  UploadAccountSuggestions: 'Schemathesis names every file after its part, without the extension of a spreadsheet',
}

/** Tests the service on a PostgreSQL of its own. */
export async function fuzzOnPostgres(): Promise<boolean> {
  const server = await startPostgres()
  try {
    return await fuzzService(server.urlOf('postgres'))
  } finally {
    await server.remove()
  }
}

/**
 * Tests a real service against its OpenAPI document. Returns true without findings.
 * @param databaseUrl default: LOCKERFLOW_DATABASE_URL, and an embedded store without it
 */
export async function fuzzService(databaseUrl = process.env.LOCKERFLOW_DATABASE_URL): Promise<boolean> {
  const answers = countAnswers()
  const service = await startService({
    topology,
    log: createLog('info', answers.log),
    ...(databaseUrl && { databaseUrl }),
  })
  try {
    const code = await runSchemathesis(service.address, configuration(await fill(service)))
    return isProven(answers, Object.keys(operations), Object.keys(unreachable)) && code === 0
  } finally {
    await service.stop()
  }
}
