import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { searchAttributes } from '#flows'
import { startTemporalServer } from '../../../testing/temporal/index.ts'

/** A Temporal server without other flows. */
export interface OwnTemporal {
  readonly temporal: { readonly address: string; readonly namespace: string }
  /** The folder of its files. */
  readonly folder: string
  /** Stops it, and deletes its folder. */
  stop(): Promise<void>
}

/** @param dynamicConfig settings as `key=value` */
export async function startOwnTemporal(dynamicConfig: readonly string[] = []): Promise<OwnTemporal> {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-own-'))
  const namespace = 'default'
  const remove = () => rm(folder, { recursive: true, force: true })
  const server = await startTemporalServer({
    databaseFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    ip: '127.0.0.1',
    namespace,
    searchAttributes,
    headless: true,
    dynamicConfig,
    progress: line => console.error(line),
  }).catch(async error => {
    await remove()
    throw error
  })
  return {
    temporal: { address: server.address, namespace },
    folder,
    async stop() {
      await server.stop()
      await remove()
    },
  }
}
