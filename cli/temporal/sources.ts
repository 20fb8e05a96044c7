import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cachedCommand, cliVersion, executable, fillCache, type Origin, probe } from './cache.ts'
import { withCacheLock } from './cacheLock.ts'
import { goBuild, type Progress } from './goBuild.ts'
import { run } from './run.ts'

export type SourceContext = { cacheFolder: string; progress: Progress }

/** A way to get the Temporal command. */
export type Source = {
  title: string
  /**
   * Returns a command that was probed.
   * @throws Error with the reason if this way fails
   */
  find(context: SourceContext): Promise<string>
}

const program = 'github.com/temporalio/cli/cmd/temporal'

/**
 * The module of the build, with the checksum of every module in it. The release has SQLite driver 1.34.1. If a request is
 * cancelled just as SQLite returns, that driver leaves the server's only connection interrupted for good: every later
 * request fails with "interrupted (9)". The module requires a newer one.
 */
const moduleFiles = {
  'go.mod': new URL('./module/go.mod', import.meta.url),
  'go.sum': new URL('./module/go.sum', import.meta.url),
}

/** The build with the newer driver comes first. */
const origins: readonly Origin[] = ['built', 'released']

/** An installed command. */
export const pathSource: Source = {
  title: 'temporal on the PATH',
  async find() {
    await probe('temporal')
    return 'temporal'
  },
}

/** A command that an earlier run put into the cache. */
export const cacheSource: Source = {
  title: "the project's cache",
  async find({ cacheFolder }) {
    const commands = origins.map(origin => cachedCommand(cacheFolder, origin))
    const command = commands.find(existsSync)
    if (command === undefined) throw new Error(`nothing at ${commands.join(' or ')}`)
    await probe(command)
    return command
  },
}

/** Builds the official command from its Go module, for machines that reach only the module proxy. */
export const buildSource: Source = {
  title: `the Go build of ${program}@v${cliVersion}`,
  async find({ cacheFolder, progress }) {
    await run('go', ['version'], { timeoutMs: 20_000 })
    progress(`Building the Temporal CLI ${cliVersion} with Go, once for this machine: up to three minutes (${program})`)
    return fillCache(cacheFolder, 'built', async folder => {
      for (const [name, file] of Object.entries(moduleFiles)) await copyFile(file, join(folder, name))
      // Without information for debuggers, which takes an eighth of the build.
      await goBuild(['build', '-v', '-gcflags=all=-dwarf=false', '-ldflags=-s -w', '-o', executable, program], {
        progress,
        folder,
        // Without a change of go.mod or go.sum: a module with another checksum fails the build.
        environment: { GOFLAGS: '-mod=readonly -buildvcs=false' },
      })
      return join(folder, executable)
    })
  },
}

/** A source that takes minutes: a second process waits for the first one, and uses its command (D-518). */
export function oneAtATime(source: Source): Source {
  return {
    title: source.title,
    find(context) {
      const { cacheFolder, progress } = context
      const onWait = () =>
        progress(`Waiting for another process, which gets the Temporal CLI ${cliVersion} for this machine`)
      return withCacheLock(cacheFolder, { name: `temporal-${cliVersion}`, onWait }, () =>
        // The other process may have ended since the cache was read.
        cacheSource.find(context).catch(() => source.find(context)),
      )
    },
  }
}
