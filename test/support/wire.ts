import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What becomes of one request on the wire. */
export type Fate =
  | { readonly kind: 'pass' }
  /** Arrives, and is answered once the promise has resolved. */
  | { readonly kind: 'answerLater'; readonly until: Promise<unknown> }
  /** Arrives, and the answer is lost. */
  | { readonly kind: 'loseAnswer' }
  /** Does not arrive: the connection is cut. */
  | { readonly kind: 'cut' }
  /** Does not arrive: somebody on the way answers with this status. */
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Does not arrive: somebody answers with this body in its stead. */
  | { readonly kind: 'answer'; readonly body: object }
  /** Arrives, and the body of the answer is changed on the way back. */
  | { readonly kind: 'rewrite'; readonly change: (answer: Answer) => object }
  /** Arrives that often. */
  | { readonly kind: 'repeat'; readonly times: number }
  /** Arrives once the promise has resolved. */
  | { readonly kind: 'arriveLater'; readonly until: Promise<unknown> }

/** The body of an answer; a wire knows no operations. */
export type Answer = Readonly<Record<string, unknown>>

export interface Passing {
  readonly path: string
  readonly body: string
  /** How many requests of this path have come before. */
  readonly before: number
}

export type Rule = (passing: Passing) => Fate

export const pass: Fate = { kind: 'pass' }

/** A piece of wire between a caller and an address, at which faults are injected. */
export interface Wire {
  readonly address: string
  /** Every request, in the order of coming. */
  readonly passings: readonly Passing[]
  rule: Rule
  stop(): Promise<void>
}

/** Lays a wire to an address that may also be told later, since two ends can need each other's. */
export async function layWire(target: () => string): Promise<Wire> {
  const passings: Passing[] = []
  const server = createServer((incoming, outgoing) => {
    carry(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const wire: Wire = {
    address: `http://127.0.0.1:${port}`,
    passings,
    rule: () => pass,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }

  async function carry(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await read(incoming)
    const path = incoming.url ?? '/'
    const passing = {
      path,
      body: body.toString('utf8'),
      before: passings.filter(earlier => earlier.path === path).length,
    }
    passings.push(passing)
    const fate = wire.rule(passing)
    if (fate.kind === 'cut') return void incoming.socket.destroy()
    if (fate.kind === 'status') return void outgoing.writeHead(fate.status, fate.headers).end()
    if (fate.kind === 'answer') return void say(outgoing, fate.body)
    if (fate.kind === 'arriveLater') await fate.until
    const times = fate.kind === 'repeat' ? fate.times : 1
    let answer = await forward(target() + path, incoming, body)
    for (let again = 1; again < times; again++) answer = await forward(target() + path, incoming, body)
    if (fate.kind === 'answerLater') await fate.until
    if (fate.kind === 'loseAnswer') return void incoming.socket.destroy()
    if (fate.kind === 'rewrite') return void say(outgoing, fate.change(JSON.parse(answer.body.toString('utf8'))))
    outgoing.writeHead(answer.status, answer.headers).end(answer.body)
  }

  return wire
}

function say(outgoing: ServerResponse, body: object): void {
  outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** As bytes: files pass, too. */
async function read(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function forward(url: string, { method, headers }: IncomingMessage, body: Buffer) {
  return new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, async answer => {
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: await read(answer) })
    })
    outgoing.on('error', reject).end(body)
  })
}
