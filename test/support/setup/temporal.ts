import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { searchAttributes } from '#contract/terms'
import { startTemporalServer } from '../../cli/temporal/index.ts'

declare module 'vitest' {
  // What tests get by `inject('temporal')`.
  interface ProvidedContext {
    temporal: { address: string; namespace: string }
  }
}

const namespace = process.env.TEMPORAL_NAMESPACE || 'default'

/** Gives the tests one Temporal server for the whole run: the one that TEMPORAL_ADDRESS names, or one of their own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEMPORAL_ADDRESS
  if (given) {
    project.provide('temporal', { address: given, namespace })
    return async () => undefined
  }
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  // Vitest leaves out the teardown when it is interrupted.
  process.once('exit', removeFolder)
  const server = await startTemporalServer({
    databaseFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    ip: '127.0.0.1',
    namespace,
    searchAttributes,
    headless: true,
    progress: line => console.error(line),
  })
  project.provide('temporal', { address: server.address, namespace })
  return async () => {
    await server.stop()
    removeFolder()
    process.off('exit', removeFolder)
  }
}
