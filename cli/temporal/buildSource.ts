import { join } from 'node:path'
import { cliVersion, executable, fillCache } from './cache.ts'
import { run } from './run.ts'
import type { Progress, Source } from './source.ts'

const goModule = `github.com/temporalio/cli/cmd/temporal@v${cliVersion}`
const progressEveryMs = 10_000
const timeoutMs = 20 * 60_000

/** The official command built from its Go module, where only the module proxy can be reached. */
export const buildSource: Source = {
  title: `the Go build of ${goModule}`,
  async find({ cacheFolder, progress }) {
    await run('go', ['version'], { timeoutMs: 20_000 })
    progress(`Building the Temporal CLI with Go, once for this machine: up to three minutes (${goModule})`)
    return fillCache(cacheFolder, async folder => {
      await build(folder, progress)
      return join(folder, executable)
    })
  },
}

async function build(folder: string, progress: Progress): Promise<void> {
  const started = performance.now()
  let downloads = 0
  let packages = 0
  let last = 'starting'
  const seconds = () => Math.round((performance.now() - started) / 1000)
  const timer = setInterval(() => {
    progress(`  ${seconds()} s: ${downloads} modules downloaded, ${packages} packages compiled, last ${last}`)
  }, progressEveryMs)
  try {
    await run('go', ['install', '-v', goModule], {
      timeoutMs,
      // A GOBIN of its own for each build; cross-compiling settings would make go install refuse it.
      environment: { GOBIN: folder, GOOS: '', GOARCH: '' },
      onLine: line => {
        if (line.startsWith('go: downloading')) downloads += 1
        else packages += 1
        last = line.replace('go: downloading ', '')
      },
    })
    progress(`  built in ${seconds()} s`)
  } finally {
    clearInterval(timer)
  }
}
