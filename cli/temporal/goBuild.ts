import { run } from './run.ts'
import type { Progress } from './source.ts'

const progressEveryMs = 10_000
const timeoutMs = 20 * 60_000

export interface GoBuildOptions {
  readonly progress: Progress
  readonly environment?: Record<string, string>
  /** Where Go is run; here unless given. */
  readonly folder?: string
}

/** Runs a Go command that may download and compile for minutes, and says every ten seconds how far it is. */
export async function goBuild(args: readonly string[], options: GoBuildOptions): Promise<void> {
  const { progress, environment, folder } = options
  const started = performance.now()
  let downloads = 0
  let packages = 0
  let last = 'starting'
  const seconds = () => Math.round((performance.now() - started) / 1000)
  const timer = setInterval(() => {
    progress(`  ${seconds()} s: ${downloads} modules downloaded, ${packages} packages compiled, last ${last}`)
  }, progressEveryMs)
  try {
    await run('go', args, {
      timeoutMs,
      // Cross-compiling settings would make go install refuse a GOBIN, and build what does not run here.
      environment: { GOOS: '', GOARCH: '', ...environment },
      ...(folder !== undefined && { folder }),
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
