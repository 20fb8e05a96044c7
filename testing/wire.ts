import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
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
 * @param onPassed called after each request, also one that the wire lost, and each time that it arrives
 */
export async function startWire(
  target: () => string,
  headersOf: HeadersOf = () => ({}),
  onPassed: (passed: Passed) => void = () => undefined,
): Promise<Wire> {
  const passings: Passing[] = []
  const counts = new Map<string, number>()
  const cuts = createCuts()
  const server = createServer((incoming, outgoing) => {
    carry(incoming, outgoing).catch(() => incoming.socket.destroy())
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
    cutRequests: cuts.requests,
    cutDuring: cuts.during,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }

  async function carry(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const isCut = cuts.begin()
    const bytes = await buffer(incoming)
    const { url: path = '/', headers } = incoming
    const before = counts.get(path) ?? 0
    counts.set(path, before + 1)
    const passing = { path, body: bytes.toString('utf8'), before }
    passings.push(passing)
    let response = ''
    open++
    const note = (status: number | null) => onPassed({ ...passing, status, headers, response })
    outgoing.once('close', () => {
      open--
      note(outgoing.writableFinished ? outgoing.statusCode : null)
    })
    await treat(wire.rule(passing), {
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
interface Carried {
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

/** Treats a request by its fate. */
async function treat(fate: Fate, carried: Carried): Promise<void> {
  const { incoming, outgoing, headersOf, isCut, forward, onRepeat, onResponse } = carried
  const destroy = () => void incoming.socket.destroy()
  const reply = (body: object, headers = headersOf) => {
    const text = JSON.stringify(body)
    outgoing.writeHead(200, { 'content-type': 'application/json', ...headers(incoming.headers, text) }).end(text)
  }
  if (fate.kind === 'cut' || isCut()) return destroy()
  if (fate.kind === 'status') return void outgoing.writeHead(fate.status, fate.headers).end()
  if (fate.kind === 'answer') return reply(fate.body)
  if (fate.kind === 'acknowledge') {
    outgoing.writeHead(204).end()
    if (fate.until === undefined) return
    await fate.until
    return isCut() ? undefined : void (await forward().catch(() => undefined))
  }
  if (fate.kind === 'arriveLater') await fate.until
  if (isCut()) return destroy()
  const times = fate.kind === 'repeat' ? fate.times : 1
  let answer = await forward()
  for (let again = 1; again < times; again++) {
    onRepeat(answer.status)
    if (isCut()) return destroy()
    answer = await forward()
  }
  if (fate.kind === 'pass') fate.after?.()
  if (fate.kind === 'answerLater' || fate.kind === 'loseAnswer') await fate.until
  if (fate.kind === 'loseAnswer') return destroy()
  const text = answer.body.toString('utf8')
  if (fate.kind === 'rewrite') return reply(fate.change(JSON.parse(text)), fate.headers)
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
