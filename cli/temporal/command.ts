import { readEnvironment } from '../environment.ts'
import { buildSource } from './buildSource.ts'
import { cacheSource } from './cacheSource.ts'
import { downloadSource } from './downloadSource.ts'
import { pathSource } from './pathSource.ts'
import type { Progress, Source } from './source.ts'

/** From the quickest to the slowest. */
const sources: readonly Source[] = [pathSource, cacheSource, downloadSource, buildSource]

/** What may be chosen differently when the command is looked for. */
export type FindOptions = {
  /** Folder for what is built or downloaded once per machine; the user's own cache unless given. */
  cacheFolder?: string | undefined
  sources?: readonly Source[]
}

/** Finds the Temporal command, or downloads or builds it; when no way works, the error says what was tried and why. */
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
      'There is no Temporal server to start. Tried, in this order:',
      ...failures,
      'Install the Temporal CLI (https://docs.temporal.io/cli) or Go (https://go.dev/dl), which builds it,',
      'or set TEMPORAL_ADDRESS to a Temporal server that runs already, for example TEMPORAL_ADDRESS=127.0.0.1:7233.',
    ].join('\n'),
  )
}
