// Baseline of deliveries: the same requests with their signature, 32 at a time, without a store.
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'undici'
import { webhookHeaders, webhookSignature } from '#contract'
import { serveJobs } from '../child.ts'
import { callbackBody } from './backlog.ts'

const concurrency = 32
const key = 'a key of the baseline of deliveries'

export interface BareSenderJob {
  readonly url: string
  readonly messages: number
}

/** Returns the deliveries per second. */
serveJobs(async ({ url, messages }: BareSenderJob): Promise<number> => {
  const dispatcher = new Agent({ pipelining: 1 })
  const startedAt = performance.now()
  let sent = 0
  async function sender(): Promise<void> {
    while (sent++ < messages) {
      const id = `msg_${randomUUID()}`
      const body = callbackBody(randomUUID())
      const timestamp = Math.floor(Date.now() / 1_000)
      const headers = {
        'content-type': 'application/json',
        [webhookHeaders.id]: id,
        [webhookHeaders.timestamp]: String(timestamp),
        [webhookHeaders.signature]: webhookSignature([key], id, timestamp, body),
      }
      const response = await request(url, { dispatcher, method: 'POST', headers, body })
      await response.body.dump()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, sender))
  const seconds = (performance.now() - startedAt) / 1_000
  await dispatcher.close()
  return messages / seconds
})
