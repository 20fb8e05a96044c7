import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { checkWebhookSignature, type DoorEvent, doorEvent, webhookHeaders } from '#contract'
import { parseJson } from './adapter.ts'

/** One delivery of an event. */
export interface Delivery {
  readonly id: string
  readonly body: string
  /** The problem of its signature or its fields. */
  readonly fault: string | undefined
  readonly event: DoorEvent | undefined
  /** The status of the response. */
  readonly status: number
}

/** Stands for the service, and receives the events of an adapter. */
export interface EventReceiver {
  readonly deliveries: readonly Delivery[]
  /** Responds to the next delivery of an opening with 503. */
  rejectNext(openId: string): void
  /**
   * Waits for a delivery.
   * @throws Error when it does not arrive in time
   */
  until(what: string, matches: (delivery: Delivery) => boolean): Promise<Delivery>
  stop(): Promise<void>
}

export interface EventReceiverOptions {
  readonly host: string
  /** 0: a free port. */
  readonly port: number
  readonly key: string
  /** Milliseconds that `until` waits. */
  readonly timeout: number
}

export async function startEventReceiver(options: EventReceiverOptions): Promise<EventReceiver> {
  const { host, port, key, timeout } = options
  const deliveries: Delivery[] = []
  const refused = new Set<string>()
  const arrived = new EventTarget()
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    const fault = checkWebhookSignature([key], request.headers, body, Math.floor(Date.now() / 1_000))
    const read = doorEvent.safeParse(parseJson(body))
    const status = read.data?.openId && refused.delete(read.data.openId) ? 503 : 200
    deliveries.push({
      id: String(request.headers[webhookHeaders.id]),
      body,
      fault: fault ?? (read.success ? undefined : 'the event is not one of the protocol'),
      event: read.data,
      status,
    })
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"success":true}')
    arrived.dispatchEvent(new Event('delivery'))
  }
  // A sender that breaks off gets no response.
  const server = createServer((request, response) => handle(request, response).catch(() => void response.destroy()))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))

  return {
    deliveries,
    rejectNext: openId => void refused.add(openId),
    until(what, matches) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = deliveries.find(matches)
          if (found === undefined) return
          clearTimeout(timer)
          arrived.removeEventListener('delivery', look)
          resolve(found)
        }
        const timer = setTimeout(() => {
          arrived.removeEventListener('delivery', look)
          reject(new Error(`no ${what} within ${timeout / 1_000} s`))
        }, timeout)
        arrived.addEventListener('delivery', look)
        look()
      })
    },
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
