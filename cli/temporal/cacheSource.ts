import { access } from 'node:fs/promises'
import { cachedCommand } from './cache.ts'
import { probe } from './probe.ts'
import type { Source } from './source.ts'

/** The command that an earlier run left in the cache. */
export const cacheSource: Source = {
  title: "the project's cache",
  async find({ cacheFolder }) {
    const command = cachedCommand(cacheFolder)
    await access(command).catch(() => {
      throw new Error(`nothing at ${command}`)
    })
    await probe(command)
    return command
  },
}
