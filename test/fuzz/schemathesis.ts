import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentPath } from '#contract'
import { readEnvironment } from '../../platform/environment.ts'
import { seeded } from '../support/seed.ts'
import { findSchemathesis } from './environment.ts'

/** Number of generated cases per operation and phase. */
export const casesEach = 40

/** Limit of a run in milliseconds. An idle machine needs two minutes. */
const longest = 3_600_000

/**
 * Tests a listener against its OpenAPI document.
 * @param configuration of Schemathesis as TOML
 * @returns the exit code; null when the time was over
 */
export async function runSchemathesis(address: string, configuration: string): Promise<number | null> {
  const { seed } = seeded(casesEach)
  const { python, version } = await findSchemathesis(readEnvironment().cacheFolder, line => console.error(line))
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-fuzz-'))
  try {
    const file = join(folder, 'schemathesis.toml')
    await writeFile(file, configuration)
    console.log(`schemathesis ${version}, seed ${seed} (set LOCKERFLOW_TEST_SEED to repeat it)`)
    const words = ['--config-file', file, 'run', address + documentPath, '--seed', String(seed), '--no-color']
    const child = spawn(python.command, ['-m', 'schemathesis.cli', ...words], {
      // Schemathesis writes files to its working directory.
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...python.variables },
      timeout: longest,
    })
    const [code, signal] = await once(child, 'exit')
    if (signal !== null) console.error(`schemathesis was stopped by ${signal} after ${longest / 1_000} s`)
    return code
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
