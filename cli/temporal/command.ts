import { readEnvironment } from '../environment.ts'
import { downloadSource } from './download.ts'
import type { Progress } from './goBuild.ts'
import { buildSource, cacheSource, oneAtATime, pathSource, type Source } from './sources.ts'

/** From the fastest to the slowest. */
const sources: readonly Source[] = [pathSource, cacheSource, downloadSource, oneAtATime(buildSource)]

export type FindOptions = {
  /** Folder for programs that are built or downloaded once per machine. The user's cache if absent. */
  cacheFolder?: string | undefined
  sources?: readonly Source[]
}

/**
 * Finds, downloads or builds the Temporal command.
 * @throws Error with the reason of each source
 */
export async function findTemporalCommand(progress: Progress, options: FindOptions = {}): Promise<string> {
  const cacheFolder = options.cacheFolder ?? readEnvironment().cacheFolder
  const failures: string[] = []
  for (const source of options.sources ?? sources) {
    try {
      return await source.find({ cacheFolder, progress })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      failures.push(`  - ${source.title}: ${reason.replaceAll('\n', '\n    ')}`)
    }
  }
  throw new Error(
    [
      'No Temporal server can be started. These sources failed, in this order:',
      ...failures,
      'Install the Temporal CLI (https://docs.temporal.io/cli) or Go (https://go.dev/dl), which builds it,',
      'or set TEMPORAL_ADDRESS to a running Temporal server, for example TEMPORAL_ADDRESS=127.0.0.1:7233.',
    ].join('\n'),
  )
}
