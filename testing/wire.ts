import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { webhookHeaders } from '#contract'

/** The treatment of one request on the wire. */
export type Fate =
  /** `after` is called when its target has answered. */
  | { readonly kind: 'pass'; readonly after?: () => void }
  /** Arrives. The response is delayed until the promise resolves. */
  | { readonly kind: 'answerLater'; readonly until: Promise<unknown> }
  /** Arrives, but its response is lost, when the promise has resolved. */
  | { readonly kind: 'loseAnswer'; readonly until?: Promise<unknown> }
  /** The request does not arrive: the connection is cut. */
  | { readonly kind: 'cut' }
  /** The request does not arrive: a proxy returns this status. */
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The request does not arrive: a proxy returns this body. */
  | { readonly kind: 'answer'; readonly body: object }
  /** Arrives. The body of its response is changed, or its headers. */
  | { readonly kind: 'rewrite'; readonly change: (answer: Answer) => object; readonly headers?: HeadersOf }
  /** Arrives this number of times. */
  | { readonly kind: 'repeat'; readonly times: number }
  /** Arrives when the promise has resolved. */
  | { readonly kind: 'arriveLater'; readonly until: Promise<unknown> }
  /** The caller gets 204 at once. Arrives when the promise has resolved, and never without one. */
  | { readonly kind: 'acknowledge'; readonly until?: Promise<unknown> }

/** The headers of a response, from those of its request and its body. */
export type HeadersOf = (request: IncomingMessage['headers'], body: string) => Readonly<Record<string, string>>

/** The body of a response of any operation. */
export type Answer = Readonly<Record<string, unknown>>

export interface Passing {
  readonly path: string
  readonly body: string
  /** The number of earlier requests of this path. */
  readonly before: number
}

/** A request whose caller has its response, or none: the status is then null. */
export interface Passed extends Passing {
  readonly status: number | null
  readonly headers: IncomingMessage['headers']
  /** The body of the response. */
  readonly response: string
}

export type Rule = (passing: Passing) => Fate

export const pass: Fate = { kind: 'pass' }

/** A proxy between a caller and an address that injects faults. */
export interface Wire {
  readonly address: string
  /** All requests in the order of arrival. */
  readonly passings: readonly Passing[]
  rule: Rule
  /** Requests without a response so far. */
  readonly open: number
  /**
   * Case numbers of flows that were ended from outside, and ids of callbacks. A request with one of them never arrives, whatever
   * the rule.
   */
  readonly cutRequests: Set<string>
  /**
   * Runs work while nothing arrives. Requests that have arrived are answered before; all others from before its end never
   * arrive, whatever the rule.
   */
  cutDuring(work: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a wire. Its target can be set later, because two ends may need each other's address.
 * @param headersOf headers of responses that the wire changes, for instance their signature
 * @param onPassed called after each request, whatever its fate, and for each time that it arrives
 */
export async function layWire(
  target: () => string,
  headersOf: HeadersOf = () => ({}),
  onPassed: (passed: Passed) => void = () => undefined,
): Promise<Wire> {
  const passings: Passing[] = []
  const counts = new Map<string, number>()
  const server = createServer((incoming, outgoing) => {
    carry(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  let open = 0
  let period = 0
  let isCut = false
  const arrived = new Set<Promise<unknown>>()
  const wire: Wire = {
    address: `http://127.0.0.1:${port}`,
    passings,
    get open() {
      return open
    },
    rule: () => pass,
    cutRequests: new Set(),
    async cutDuring(work) {
      isCut = true
      period++
      try {
        await Promise.allSettled(arrived)
        await work()
      } finally {
        isCut = false
      }
    },
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }

  async function carry(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const began = period
    const body = await read(incoming)
    const path = incoming.url ?? '/'
    const before = counts.get(path) ?? 0
    counts.set(path, before + 1)
    const passing = { path, body: body.toString('utf8'), before }
    passings.push(passing)
    let response = ''
    open++
    const note = (status: number | null) => onPassed({ ...passing, status, headers: incoming.headers, response })
    outgoing.once('close', () => {
      open--
      note(outgoing.writableFinished ? outgoing.statusCode : null)
    })
    const fate = wire.rule(passing)
    const isCutOff = () =>
      isCut ||
      began !== period ||
      wire.cutRequests.has(String(incoming.headers[webhookHeaders.id])) ||
      [...wire.cutRequests].some(caseNo => passing.body.includes(caseNo))
    const forward = () => {
      const response = send(target() + path, incoming, body)
      arrived.add(response)
      return response.finally(() => arrived.delete(response))
    }
    if (fate.kind === 'cut' || isCutOff()) return void incoming.socket.destroy()
    if (fate.kind === 'status') return void outgoing.writeHead(fate.status, fate.headers).end()
    const say = (said: object, headers = headersOf) => {
      const text = JSON.stringify(said)
      outgoing.writeHead(200, { 'content-type': 'application/json', ...headers(incoming.headers, text) }).end(text)
    }
    if (fate.kind === 'answer') return void say(fate.body)
    if (fate.kind === 'acknowledge') {
      outgoing.writeHead(204).end()
      if (fate.until === undefined) return
      await fate.until
      return isCutOff() ? undefined : void (await forward().catch(() => undefined))
    }
    if (fate.kind === 'arriveLater') await fate.until
    if (isCutOff()) return void incoming.socket.destroy()
    const times = fate.kind === 'repeat' ? fate.times : 1
    let answer = await forward()
    for (let again = 1; again < times; again++) {
      note(answer.status)
      if (isCutOff()) return void incoming.socket.destroy()
      answer = await forward()
    }
    if (fate.kind === 'pass') fate.after?.()
    if (fate.kind === 'answerLater' || fate.kind === 'loseAnswer') await fate.until
    if (fate.kind === 'loseAnswer') return void incoming.socket.destroy()
    if (fate.kind === 'rewrite') return void say(fate.change(JSON.parse(answer.body.toString('utf8'))), fate.headers)
    response = answer.body.toString('utf8')
    outgoing.writeHead(answer.status, answer.headers).end(answer.body)
  }

  return wire
}

/** Reads bytes, because bodies can be files. */
async function read(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function send(url: string, { method, headers }: IncomingMessage, body: Buffer) {
  return new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, async answer => {
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: await read(answer) })
    })
    outgoing.on('error', reject).end(body)
  })
}
