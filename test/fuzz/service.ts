import { type OperationName, operations } from '#contract'
import { createLog } from '#logs'
import { startService } from '#service'
import { runSchemathesis } from './schemathesis.ts'
import { configuration } from './serviceConfiguration.ts'
import { countAnswers, isProven } from './tally.ts'
import { fill, topology } from './world.ts'

/** Operations that generated requests cannot complete, with the reason. */
const unreachable: Partial<Record<OperationName, string>> = {
  UploadAccountSuggestions: 'Schemathesis names every file after its part, without the extension of a spreadsheet',
}

/** Tests a real service against its OpenAPI document. Returns true without findings. */
export async function fuzzService(): Promise<boolean> {
  const answers = countAnswers()
  const databaseUrl = process.env.LOCKERFLOW_DATABASE_URL
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
