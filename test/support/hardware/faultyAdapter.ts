import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startSimulator } from '#service/adapter'
import { hardwareKey, signed } from './messages.ts'

/** A message on its way to or from the simulator. */
export interface Message {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly body: string
  /** Replaces the headers of a valid signature. */
  readonly signature?: Readonly<Record<string, string>>
}

export type Forward = (message: Message) => Promise<Answer>

/** A fault of an adapter, between the simulator and the checks. */
export interface Fault {
  readonly request?: (message: Message, forward: Forward) => Promise<Answer>
  readonly event?: (message: Message, forward: Forward) => Promise<Answer>
}

export interface FaultyAdapter {
  readonly url: string
  stop(): Promise<void>
}

export const checkedDoor = { pupUid: 'pup-1', lockerUid: 'pup-1:1', lockerName: '1' }

/** Starts a simulator behind a proxy in each direction. @param eventsPort port of the checks */
export async function startFaultyAdapter(eventsPort: number, { request, event }: Fault = {}): Promise<FaultyAdapter> {
  const events = await startProxy(`http://127.0.0.1:${eventsPort}`, event)
  const simulator = await startSimulator({
    host: '127.0.0.1',
    port: 0,
    keys: [hardwareKey],
    eventsUrl: () => `${addressOf(events)}/hardware/events`,
    closeAfter: 0,
    doors: [checkedDoor],
  })
  const requests = await startProxy(simulator.address, request)
  return {
    url: addressOf(requests),
    async stop() {
      await simulator.stop()
      for (const server of [requests, events]) {
        server.closeAllConnections()
        await new Promise(resolve => server.close(resolve))
      }
    },
  }
}

/** The message with a valid signature, with a new body and id if they are given. */
export function resigned({ path, headers, body: old }: Message, body = old, id = headers['webhook-id']): Message {
  return { path, headers: signed(body, id ? { id } : {}).headers, body }
}

async function startProxy(target: string, change: Fault['request']): Promise<Server> {
  const forward: Forward = async ({ path, headers, body }) => {
    const response = await fetch(target + path, { method: 'POST', headers, body })
    return { status: response.status, body: await response.text() }
  }
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('utf8')
    const message = { path: incoming.url ?? '', headers: forwarded(incoming.headers), body }
    try {
      const answer = await (change === undefined ? forward(message) : change(message, forward))
      const { headers } = signed(answer.body, { id: message.headers['webhook-id'] ?? '' })
      const { 'content-type': type = '', ...signature } = headers
      outgoing.writeHead(answer.status, { 'content-type': type, ...(answer.signature ?? signature) }).end(answer.body)
    } catch {
      outgoing.destroy()
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

function forwarded(headers: IncomingHttpHeaders): Record<string, string> {
  const names = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature']
  return Object.fromEntries(
    names.flatMap(name => (typeof headers[name] === 'string' ? [[name, headers[name] as string]] : [])),
  )
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
