// The processor time that forged callbacks cost the gateway. bench/main.ts imports this.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { webhookSignatureHeaders } from '#contract'
import type { Row } from '../row.ts'

/** Seconds of one tick in /proc. */
const tick = 0.01
const concurrency = 4

interface Forgery {
  readonly what: string
  readonly bytes: number
  readonly headers: Readonly<Record<string, string>>
  readonly times: number
  /** Milliseconds of processor time that it may cost. */
  readonly bar: number
}

const now = Math.floor(Date.now() / 1_000)
const signed = {
  ...webhookSignatureHeaders(['a-guessed-key-of-the-benchmarks'], 'forged', now, ''),
}
const forgeries: readonly Forgery[] = [
  { what: '1 KiB, wrong signature', bytes: 1_024, headers: signed, times: 1_000, bar: 2 },
  { what: '1 KiB, no signature', bytes: 1_024, headers: {}, times: 1_000, bar: 2 },
  { what: '1 MiB, wrong signature', bytes: 1_024 * 1_024, headers: signed, times: 100, bar: 20 },
  { what: '1 MiB, no signature', bytes: 1_024 * 1_024, headers: {}, times: 100, bar: 10 },
]

/** Measures a gateway whose service and Temporal are down. Needs /proc, so Linux. */
export async function benchGateway(): Promise<Row[]> {
  const port = await findPort()
  const closed = 'http://127.0.0.1:9'
  const child = spawn(process.execPath, ['gateway/main.ts'], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      TEMPORAL_ADDRESS: '127.0.0.1:9',
      LOCKERFLOW_GATEWAY_HOST: '127.0.0.1',
      LOCKERFLOW_GATEWAY_PORT: String(port),
      LOCKERFLOW_CALLBACK_KEY: 'a-key-of-the-benchmarks-alone',
      LOCKERFLOW_CALLBACK_KEY_PREVIOUS: 'the-key-before-of-the-benchmarks',
      LOCKERFLOW_BASE_URL: closed,
      LOCKERFLOW_AUTH_URL: closed,
    },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const seconds = () => {
    const text = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * tick
  }
  try {
    while (!(await isLive(port))) await delay(100)
    const rows: Row[] = []
    for (const { what, bytes, headers, times, bar } of forgeries) {
      const body = manyKeys(bytes)
      for (let warmUp = 0; warmUp < 10; warmUp++) await post(agent, port, headers, body)
      const before = seconds()
      let left = times
      const sendAll = async () => {
        while (left-- > 0) await post(agent, port, headers, body)
      }
      await Promise.all(Array.from({ length: concurrency }, sendAll))
      const ours = ((seconds() - before) * 1_000) / times
      rows.push({ what: `forged callback, ${what}`, unit: 'ms', ours, bar: `at most ${bar} ms`, met: ours <= bar })
    }
    return rows
  } finally {
    agent.destroy()
    child.kill('SIGKILL')
  }
}

/** A parser needs longer for many keys than for one long text. */
function manyKeys(bytes: number): string {
  const member = (index: number) => `"key${String(index).padStart(6, '0')}":1`
  const keys = Array.from({ length: Math.floor(bytes / (member(0).length + 1)) - 10 }, (_, index) => member(index))
  return `{"messageType":"ShipmentStatusUpdate","message":{${keys.join(',')}}}`
}

/** Posts a callback; the gateway may close the connection before it has read the body. */
function post(agent: Agent, port: number, headers: Forgery['headers'], body: string): Promise<void> {
  return new Promise(resolve => {
    const length = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
    const options = {
      host: '127.0.0.1',
      port,
      path: '/callbacks',
      method: 'POST',
      agent,
      headers: { ...length, ...headers },
    }
    const sent = request(options, response => response.resume().on('close', resolve))
    sent.on('error', () => resolve()).end(body)
  })
}

async function isLive(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health/live`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return address !== null && typeof address === 'object' ? address.port : 0
}
