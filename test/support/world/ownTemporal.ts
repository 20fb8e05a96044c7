import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { searchAttributes } from '#flows'
import { startTemporalServer, type TemporalServer } from '../../../cli/temporal/index.ts'
import type { Temporal } from './settings.ts'

/**
 * A Temporal server for one test file, without other flows and with its own settings.
 * Call it before `useWorld`, and pass its result on.
 * @param dynamicConfig settings as `key=value`
 */
export function useOwnTemporal(dynamicConfig: readonly string[] = []): () => Temporal {
  let server: TemporalServer | undefined
  let folder = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockerflow-own-'))
    server = await startTemporalServer({
      databaseFile: join(folder, 'temporal.db'),
      logFile: join(folder, 'temporal.log'),
      ip: '127.0.0.1',
      namespace: 'default',
      searchAttributes,
      headless: true,
      dynamicConfig,
      progress: line => console.error(line),
    })
  })

  // `afterAll` hooks run in the opposite order, so the world has stopped already.
  afterAll(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  return () => {
    if (server === undefined) throw new Error('the server has not been started')
    return { address: server.address, namespace: 'default' }
  }
}
