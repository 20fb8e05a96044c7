import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { searchAttributes } from '#flows'
import { startTemporalServer } from '../../../testing/temporal/index.ts'
import { shareServer } from './sharedServer.ts'

declare module 'vitest' {
  // The value of `inject('temporal')` in tests.
  interface ProvidedContext {
    temporal: { address: string; namespace: string }
    /** A folder that is removed at the end of the run. */
    runFolder: string
  }
}

const namespace = process.env.TEMPORAL_NAMESPACE || 'default'

/** Provides one Temporal server for the whole run: the one of TEMPORAL_ADDRESS, or a new one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { value, stop } = await shareServer('temporal', start)
  project.provide('runFolder', value.folder)
  // In watch mode the next run needs a bundle of the changed workflows.
  project.onTestsRerun(() => rmSync(join(value.folder, 'bundle'), { recursive: true, force: true }))
  project.provide('temporal', { address: value.address, namespace })
  return stop
}

async function start() {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  // Vitest skips the teardown when it is interrupted.
  process.once('exit', removeFolder)
  const given = process.env.TEMPORAL_ADDRESS
  if (given) return { value: { folder, address: given }, stop: async () => removeFolder() }
  const server = await startTemporalServer({
    databaseFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    ip: '127.0.0.1',
    namespace,
    searchAttributes,
    headless: true,
    progress: line => console.error(line),
  })
  return {
    value: { folder, address: server.address },
    async stop() {
      await server.stop()
      removeFolder()
      process.off('exit', removeFolder)
    },
  }
}
