// A separate process with a service that purges all the time, and measures how long its event loop is blocked.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startService } from '#service'
import { defaultRetention } from '../../service/retention/index.ts'
import { serveJobs } from '../child.ts'
import { topology } from '../service/places.ts'

/** Starts the service, with rounds or without, or reads the longest delay since the last job. */
export type PurgeJob = { readonly databaseUrl: string; readonly purgeInterval: number } | { readonly delay: true }

/** The address of the service, or milliseconds. */
export type PurgeResult = { readonly address: string } | { readonly delay: number }

const resolution = 1
const delays = monitorEventLoopDelay({ resolution })

serveJobs<PurgeJob, PurgeResult>(async job => {
  if ('delay' in job) {
    const delay = delays.max / 1e6
    delays.reset()
    return { delay }
  }
  const { databaseUrl, purgeInterval } = job
  const retention = { ...defaultRetention, shipments: 86_400_000 }
  const service = await startService({ databaseUrl, topology, retention, purgeInterval })
  delays.enable()
  return { address: service.address }
})
