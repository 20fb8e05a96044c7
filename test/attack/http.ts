import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import { Readable } from 'node:stream'

/** Time limit of one response in milliseconds: longer than any time limit of the service. */
const timeout = 40_000

/** Milliseconds in which a response may still arrive after the server closed the connection to the request. */
const lateResponse = 1_000

/**
 * Bytes of a write. An attacker has a processor of its own: one system call with nine megabytes would keep one of the service for
 * some 70 ms, which the kernel gives to no other process meanwhile.
 */
const pieceSize = 64 * 1_024

const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) }

export interface HttpRequest {
  readonly method?: string
  /** Sent as it is, without normalisation. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Uint8Array
}

export interface HttpResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The parsed body; empty unless it is a JSON object. */
  readonly json: Readonly<Record<string, unknown>>
}

/** Sends one request and reads its response. */
export function send(
  origin: string,
  { method = 'POST', path, headers = {}, body }: HttpRequest,
): Promise<HttpResponse> {
  const { protocol, hostname, port } = new URL(origin)
  const request = protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request({
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path,
      agent: protocol === 'https:' ? agents['https:'] : agents['http:'],
      timeout,
      // Both spellings of a repeated header have to arrive.
      headers: {
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value as string | string[]])),
        ...(isLarge(body) && { 'content-length': Buffer.byteLength(body) }),
      },
    })
    // A server may refuse a body before all of it was sent.
    sent.on('error', error => setTimeout(() => reject(error), lateResponse))
    sent.once('timeout', () => sent.destroy(new Error(`no response to ${method} ${path} within ${timeout} ms`)))
    sent.once('response', response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parseObject(text) })
      })
    })
    if (isLarge(body)) Readable.from(piecesOf(body)).pipe(sent)
    else sent.end(body)
  })
}

function isLarge(body: HttpRequest['body']): body is string | Uint8Array {
  return body !== undefined && body.length > pieceSize
}

function* piecesOf(body: string | Uint8Array): Generator<Buffer> {
  const bytes = Buffer.from(body)
  for (let start = 0; start < bytes.length; start += pieceSize) yield bytes.subarray(start, start + pieceSize)
}

/**
 * Writes bytes to a connection and returns everything that the server sends until it closes the connection, or until
 * it has been silent for two seconds.
 */
export function sendBytes(origin: string, bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(origin)
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    const socket = connect({ host: hostname, port: Number(port) })
    const end = () => {
      socket.destroy()
      resolve(Buffer.concat(chunks).toString('latin1'))
    }
    socket.setTimeout(2_000, end)
    socket.on('data', chunk => chunks.push(chunk))
    // A server may close the connection before it has read everything.
    socket.once('error', end).once('close', end)
    socket.write(bytes)
  })
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
