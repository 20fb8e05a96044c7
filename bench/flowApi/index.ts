// Starts of flows by HTTP, compared with the TypeScript client in the same run. bench/main.ts and the tests import this.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { createFlowClient } from '#client'
import { accessScope, type TokenResponse, tokenPath } from '#contract'
import { freePort } from '../../platform/ports.ts'
import { startWorld, type World } from '../flows/world.ts'
import { pairs } from '../pairs.ts'
import type { Row } from '../row.ts'
import { credentials } from '../service/places.ts'

/** Starts at the same time. */
const concurrency = 32
/** Ours divided by that of the client, in the same run. */
export const leastRate = 0.8
/** Milliseconds. */
const retryDelay = 50

export interface FlowApiBenchOptions {
  readonly rounds?: number
  /** Starts of one measurement. */
  readonly starts?: number
}

/** The rate of starts, without a worker: both sides end with Temporal's response. */
export async function benchFlowApi({ rounds = 6, starts = 400 }: FlowApiBenchOptions = {}): Promise<Row[]> {
  const port = await freePort('127.0.0.1')
  const world = await startWorld({ LOCKERFLOW_FLOW_API_PORT: String(port), LOCKERFLOW_FLOW_API_RATE_LIMIT: '100000' })
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: concurrency })
  try {
    const flows = createFlowClient(world.client)
    const headers = { authorization: `Bearer ${await readToken(world)}`, 'content-type': 'application/json' }
    const byClient = async () => {
      const { kind } = await flows.start('stock', { caseNo: randomUUID(), request: world.nextParcel() })
      if (kind !== 'Started') throw new Error(`The client returned ${kind}.`)
    }
    const byHttp = async (): Promise<void> => {
      const body = JSON.stringify({ caseNo: randomUUID(), request: world.nextParcel() })
      const response = await pool.request({ method: 'POST', path: '/flows/stock', headers, body })
      const text = await response.body.text()
      // A machine that is busy with other work makes the event loop slow, and callers come again.
      if (response.statusCode === 503) return pause(retryDelay).then(byHttp)
      if (response.statusCode !== 202) throw new Error(`The gateway responded ${response.statusCode}: ${text}`)
    }
    const client = () => perSecond(starts, byClient)
    const http = () => perSecond(starts, byHttp)
    await client()
    await http()
    const { ours, baseline, ratio } = await pairs(rounds, http, client)
    const best = { ours: Math.max(...ours), baseline: Math.max(...baseline) }
    const bar = `at least ${leastRate} of the TypeScript client`
    return [{ what: 'starts over HTTP', unit: '/s', ...best, ratio, bar, met: ratio >= leastRate }]
  } finally {
    await pool.close()
    await world.stop()
  }
}

async function perSecond(starts: number, start: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  let left = starts
  const sendAll = async () => {
    while (left-- > 0) await start()
  }
  await Promise.all(Array.from({ length: concurrency }, sendAll))
  return (starts * 1_000) / (performance.now() - begun)
}

async function readToken({ workerSettings }: World): Promise<string> {
  const { clientId: client_id, clientSecret: client_secret } = credentials
  const form = { grant_type: 'client_credentials', client_id, client_secret, scope: accessScope }
  const url = workerSettings.api.authUrl + tokenPath
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) })
  return ((await response.json()) as TokenResponse).access_token
}
