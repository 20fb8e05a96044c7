import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentPath, type OperationName, operations } from '#contract'
import { createLog } from '#logs'
import { startService } from '#service'
import { readEnvironment } from '../../cli/environment.ts'
import { seeded } from '../support/seed.ts'
import { casesEach, configuration } from './configuration.ts'
import { findSchemathesis } from './environment.ts'
import { countAnswers } from './tally.ts'
import { fill, topology } from './world.ts'

/** Operations that generated requests cannot complete, with the reason. */
const unreachable: Partial<Record<OperationName, string>> = {
  UploadAccountSuggestions: 'Schemathesis names every file after its part, without the extension of a spreadsheet',
}

/** Limit of the run in milliseconds. An idle machine needs two minutes. */
const longest = 600_000

/** Tests a real service against its OpenAPI document. Returns the exit code, 0 without findings. */
async function fuzz(): Promise<number> {
  const { seed } = seeded(casesEach)
  const schemathesis = await findSchemathesis(readEnvironment().cacheFolder, line => console.error(line))
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-fuzz-'))
  const answers = countAnswers()
  const databaseUrl = process.env.LOCKERFLOW_DATABASE_URL
  const service = await startService({
    topology,
    log: createLog('info', answers.log),
    ...(databaseUrl && { databaseUrl }),
  })
  try {
    const file = join(folder, 'schemathesis.toml')
    await writeFile(file, configuration(await fill(service)))
    console.log(`schemathesis ${schemathesis.version}, seed ${seed} (set LOCKERFLOW_TEST_SEED to repeat it)`)
    const words = ['--config-file', file, 'run', service.address + documentPath, '--seed', String(seed), '--no-color']
    const child = spawn(schemathesis.python.command, ['-m', 'schemathesis.cli', ...words], {
      // Schemathesis writes files to its working directory.
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...schemathesis.python.variables },
      timeout: longest,
    })
    const [code, signal] = await once(child, 'exit')
    if (signal !== null) console.error(`schemathesis was stopped by ${signal} after ${longest / 1_000} s`)
    for (const failure of answers.failures) console.error(`the service failed: ${failure}`)
    const silent = Object.keys(operations).filter(name => !answers.of(name).has('ok') && !(name in unreachable))
    for (const name of Object.keys(operations)) {
      const codes = [...answers.of(name)].sort(([, one], [, other]) => other - one)
      console.log(`${name}: ${codes.map(([what, times]) => `${what} ${times}`).join(', ')}`)
    }
    // If no request passes validation, the run proves nothing.
    if (silent.length > 0) console.error(`operations without a successful response: ${silent.join(', ')}`)
    return code === 0 && answers.failures.length === 0 && silent.length === 0 ? 0 : 1
  } finally {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

process.exitCode = await fuzz().catch(error => {
  console.error(error instanceof Error ? error.message : String(error))
  return 1
})
