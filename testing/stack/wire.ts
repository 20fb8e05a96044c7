import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { webhookHeaders } from '#contract'

/** How a wire handles one request. */
export type Handling =
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
  /** The request does not arrive: a proxy returns this body, by default with 200. */
  | { readonly kind: 'answer'; readonly status?: number; readonly body: object }
  /** Arrives. The body of its response is changed, or its headers, and its status is 200 by default. */
  | {
      readonly kind: 'rewrite'
      readonly status?: number
      readonly change: (answer: Answer) => object
      readonly headers?: HeadersOf
    }
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

export type Rule = (passing: Passing) => Handling

export const pass: Handling = { kind: 'pass' }

/** A proxy between a caller and an address that injects faults. */
export interface Wire {
  readonly address: string
  /** All requests in the order of arrival. */
  readonly passings: readonly Passing[]
  rule: Rule
  /** Called after each request, including one that the wire lost, and each time that it arrives. */
  onPassed: (passed: Passed) => void
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
 */
export async function startWire(target: () => string, headersOf: HeadersOf = () => ({})): Promise<Wire> {
  const passings: Passing[] = []
  const counts = new Map<string, number>()
  const cuts = createCuts()
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  let open = 0
  const wire: Wire = {
    address: `http://127.0.0.1:${port}`,
    passings,
    get open() {
      return open
    },
    rule: () => pass,
    onPassed: () => undefined,
    cutRequests: cuts.requests,
    cutDuring: cuts.during,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const isCut = cuts.begin()
    const bytes = await buffer(incoming)
    const { url: path = '/', headers } = incoming
    const before = counts.get(path) ?? 0
    counts.set(path, before + 1)
    const passing = { path, body: bytes.toString('utf8'), before }
    passings.push(passing)
    let response = ''
    open++
    const note = (status: number | null) => wire.onPassed({ ...passing, status, headers, response })
    outgoing.once('close', () => {
      open--
      note(outgoing.writableFinished ? outgoing.statusCode : null)
    })
    await apply(wire.rule(passing), {
      incoming,
      outgoing,
      headersOf,
      isCut: () => isCut(headers, passing.body),
      forward: () => cuts.follow(send(target() + path, incoming, bytes)),
      onRepeat: note,
      onResponse(text) {
        response = text
      },
    })
  }

  return wire
}

/** The requests that never arrive, whatever the rule. */
function createCuts() {
  const requests = new Set<string>()
  const arrived = new Set<Promise<unknown>>()
  let period = 0
  let isCut = false
  return {
    requests,
    /** Called when a request begins. The returned function says whether it is cut by now. */
    begin() {
      const began = period
      return (headers: IncomingMessage['headers'], body: string) =>
        isCut ||
        began !== period ||
        requests.has(String(headers[webhookHeaders.id])) ||
        [...requests].some(caseNo => body.includes(caseNo))
    },
    /** Counts a request as arrived until it has its response. */
    follow<Response>(response: Promise<Response>): Promise<Response> {
      arrived.add(response)
      return response.finally(() => arrived.delete(response))
    },
    async during(work: () => Promise<void>) {
      isCut = true
      period++
      try {
        await Promise.allSettled(arrived)
        await work()
      } finally {
        isCut = false
      }
    },
  }
}

/** One request on the wire. */
interface HandledRequest {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly headersOf: HeadersOf
  isCut(): boolean
  forward(): ReturnType<typeof send>
  /** Called with the status of every response but the last one. */
  onRepeat(status: number): void
  /** Called with the body of the response of the target. */
  onResponse(text: string): void
}

/** Handles a request. */
async function apply(handling: Handling, handled: HandledRequest): Promise<void> {
  const { incoming, outgoing, headersOf, isCut, forward, onRepeat, onResponse } = handled
  const destroy = () => void incoming.socket.destroy()
  const reply = (status: number, body: object, headers = headersOf) => {
    const text = JSON.stringify(body)
    outgoing.writeHead(status, { 'content-type': 'application/json', ...headers(incoming.headers, text) }).end(text)
  }
  if (handling.kind === 'cut' || isCut()) return destroy()
  if (handling.kind === 'status') return void outgoing.writeHead(handling.status, handling.headers).end()
  if (handling.kind === 'answer') return reply(handling.status ?? 200, handling.body)
  if (handling.kind === 'acknowledge') {
    outgoing.writeHead(204).end()
    if (handling.until === undefined) return
    await handling.until
    return isCut() ? undefined : void (await forward().catch(() => undefined))
  }
  if (handling.kind === 'arriveLater') await handling.until
  if (isCut()) return destroy()
  const times = handling.kind === 'repeat' ? handling.times : 1
  let answer = await forward()
  for (let again = 1; again < times; again++) {
    onRepeat(answer.status)
    if (isCut()) return destroy()
    answer = await forward()
  }
  if (handling.kind === 'pass') handling.after?.()
  if (handling.kind === 'answerLater' || handling.kind === 'loseAnswer') await handling.until
  if (handling.kind === 'loseAnswer') return destroy()
  const text = answer.body.toString('utf8')
  if (handling.kind === 'rewrite')
    return reply(handling.status ?? 200, handling.change(JSON.parse(text)), handling.headers)
  onResponse(text)
  outgoing.writeHead(answer.status, answer.headers).end(answer.body)
}

function send(url: string, { method, headers }: IncomingMessage, body: Buffer) {
  return new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, async answer => {
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) })
    })
    outgoing.on('error', reject).end(body)
  })
}
