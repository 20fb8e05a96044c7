import { existsSync } from 'node:fs'
import { cachedCommand, type Making } from './cache.ts'
import { probe } from './probe.ts'
import type { Source } from './source.ts'

/** The better one first. */
const makings: readonly Making[] = ['built', 'released']

/** The command that an earlier run left in the cache. */
export const cacheSource: Source = {
  title: "the project's cache",
  async find({ cacheFolder }) {
    const commands = makings.map(making => cachedCommand(cacheFolder, making))
    const command = commands.find(existsSync)
    if (command === undefined) throw new Error(`nothing at ${commands.join(' or ')}`)
    await probe(command)
    return command
  },
}
