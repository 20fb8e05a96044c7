import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cliVersion, executable, fillCache } from './cache.ts'
import { goBuild } from './goBuild.ts'
import { run } from './run.ts'
import type { Source } from './source.ts'

const program = 'github.com/temporalio/cli/cmd/temporal'

/**
 * With the driver that the release has, 1.34.1, a request that is given up just as SQLite answers leaves the server's only
 * connection interrupted for good: from then on every request fails with "interrupted (9)".
 */
const goModule = `module lockerflow/temporal

go 1.25.0

require (
	github.com/temporalio/cli v${cliVersion}
	modernc.org/sqlite v1.34.5
)
`

/** The official command built from its Go module, where only the module proxy can be reached. */
export const buildSource: Source = {
  title: `the Go build of ${program}@v${cliVersion}`,
  async find({ cacheFolder, progress }) {
    await run('go', ['version'], { timeoutMs: 20_000 })
    progress(`Building the Temporal CLI ${cliVersion} with Go, once for this machine: up to three minutes (${program})`)
    return fillCache(cacheFolder, 'built', async folder => {
      await writeFile(join(folder, 'go.mod'), goModule)
      await goBuild(['build', '-v', '-o', executable, program], {
        progress,
        folder,
        environment: { GOFLAGS: '-mod=mod -buildvcs=false' },
      })
      return join(folder, executable)
    })
  },
}
