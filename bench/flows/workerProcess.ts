// A worker as a separate process, which reports its processor time and memory.
import { readDataConverter } from '#platform/codec'
import { startTelemetry } from '#platform/telemetry'
import { bundleFlows, installRuntime, startWorker, type WorkerSettings } from '#worker'
import { serveJobs } from '../child.ts'
import { threeBranches } from './branchFlow.ts'
import { inspect, inspection } from './inspection.ts'
import { type Memory, measureMemory } from './threads.ts'

export type WorkerJob =
  /** `workflows` is the entry of the bundle; by default the one of the project. */
  { readonly start: WorkerSettings; readonly workflows?: string } | { readonly measure: 'processors' | 'memory' }

export interface Used {
  /** Processor seconds of all its threads since its start. */
  readonly seconds: number
  /** Bytes. */
  readonly resident: number
  readonly memory?: Memory
}

serveJobs(async (job: WorkerJob): Promise<Used> => {
  if ('start' in job) {
    await startTelemetry('worker', console.error)
    installRuntime('ERROR')
    const converting = process.env.LOCKERFLOW_CODEC_KEYS ? { dataConverter: readDataConverter() } : {}
    const own = { flows: [inspection, threeBranches], activities: { inspect } }
    await startWorker({ ...job.start, ...own, ...converting, bundle: await bundleFlows(job.workflows) })
  }
  const { user, system } = process.cpuUsage()
  const used = { seconds: (user + system) / 1e6, resident: process.memoryUsage.rss() }
  return 'measure' in job && job.measure === 'memory' ? { ...used, memory: await measureMemory() } : used
})
