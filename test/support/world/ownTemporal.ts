import { afterAll, beforeAll } from 'vitest'
import { type OwnTemporal, startOwnTemporal } from '../servers/ownTemporal.ts'
import type { Temporal } from './settings.ts'

/**
 * A Temporal server for one test file, without other flows and with its own settings.
 * Call it before `useWorld`, and pass its result on.
 * @param dynamicConfig settings as `key=value`
 */
export function useOwnTemporal(dynamicConfig: readonly string[] = []): () => Temporal {
  let server: OwnTemporal | undefined

  beforeAll(async () => {
    server = await startOwnTemporal(dynamicConfig)
  })

  // `afterAll` hooks run in the opposite order, so the world has stopped already.
  afterAll(() => server?.stop())

  return () => {
    if (server === undefined) throw new Error('the server has not been started')
    return server.temporal
  }
}
