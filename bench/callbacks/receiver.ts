// A separate process that receives callbacks. Each of its receivers responds in one way.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveJobs } from '../child.ts'

/** A receiver that responds immediately, one that never responds, or an address that refuses connections. */
export type Manner = 'quick' | 'hanging' | 'refusing'

/** Opens receivers, or returns the counts since the last reading and resets them. */
export type ReceiverJob = { readonly open: readonly Manner[] } | { readonly read: true }

export interface Received {
  /** URLs of the opened receivers; empty for a reading. */
  readonly urls: readonly string[]
  /** Callbacks to quick receivers. */
  readonly count: number
  /** Seconds from the first one to the last one. */
  readonly seconds: number
}

let count = 0
let first = 0
let last = 0

serveJobs(async (job: ReceiverJob): Promise<Received> => {
  if ('open' in job) return { urls: await Promise.all(job.open.map(open)), count: 0, seconds: 0 }
  return { urls: [], count, seconds: (last - first) / 1_000 }
})

async function open(manner: Manner): Promise<string> {
  const server = createServer((request, response) => {
    if (manner === 'hanging') return
    request.resume().once('end', () => {
      response.writeHead(204).end()
      last = performance.now()
      if (count++ === 0) first = last
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  if (manner === 'refusing') server.close()
  return url
}
