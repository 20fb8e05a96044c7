// A worker in a process of its own, which answers what it has used.
import { bundleFlows, installRuntime, startWorker, type WorkerSettings } from '#worker'
import { serveJobs } from '../child.ts'
import { type Memory, measureMemory } from './threads.ts'

export type WorkerJob =
  /** `workflows` is the entry of the bundle; that of the project when left out. */
  { readonly start: WorkerSettings; readonly workflows?: string } | { readonly measure: 'processors' | 'memory' }

export interface Used {
  /** Processor seconds of all its threads since it began. */
  readonly seconds: number
  readonly memory?: Memory
}

serveJobs(async (job: WorkerJob): Promise<Used> => {
  if ('start' in job) {
    installRuntime('ERROR')
    await startWorker({ ...job.start, bundle: await bundleFlows(job.workflows) })
  }
  const { user, system } = process.cpuUsage()
  const seconds = (user + system) / 1e6
  return 'measure' in job && job.measure === 'memory' ? { seconds, memory: await measureMemory() } : { seconds }
})
