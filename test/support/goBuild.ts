import { type Progress, run } from '../../testing/temporal/index.ts'

const progressEveryMs = 10_000
const timeoutMs = 20 * 60_000

export interface GoBuildOptions {
  readonly progress: Progress
  readonly environment?: Record<string, string>
  /** Working directory. The current one if absent. */
  readonly folder?: string
}

/** Runs a Go command that may download and compile for minutes, and reports its progress every ten seconds. */
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
      // With settings for cross-compiling, go install rejects GOBIN, and go build makes a program for another platform.
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
