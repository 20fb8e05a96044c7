import { join } from 'node:path'
import { cliVersion, executable, fillCache } from './cache.ts'
import { goBuild } from './goBuild.ts'
import { run } from './run.ts'
import type { Source } from './source.ts'

const goModule = `github.com/temporalio/cli/cmd/temporal@v${cliVersion}`

/** The official command built from its Go module, where only the module proxy can be reached. */
export const buildSource: Source = {
  title: `the Go build of ${goModule}`,
  async find({ cacheFolder, progress }) {
    await run('go', ['version'], { timeoutMs: 20_000 })
    progress(`Building the Temporal CLI with Go, once for this machine: up to three minutes (${goModule})`)
    return fillCache(cacheFolder, async folder => {
      // A GOBIN of its own for each build.
      await goBuild(['install', '-v', goModule], { progress, environment: { GOBIN: folder } })
      return join(folder, executable)
    })
  },
}
