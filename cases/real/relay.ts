import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { operations } from '#contract'
import { type ErrorCode, errors, isErrorCode } from '#contract/terms'
import type { Faults } from './faults.ts'

/** A proxy before the service, at which the calls of the worker fail as a story wants it. */
export interface Relay {
  readonly address: string
  stop(): Promise<void>
}

const host = '127.0.0.1'

/** @param target the address of the service */
export async function startRelay(target: string, faults: Faults): Promise<Relay> {
  const server = createServer((incoming, outgoing) => {
    carry(incoming, outgoing, target, faults).catch(() => incoming.socket.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://${host}:${port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

async function carry(incoming: IncomingMessage, outgoing: ServerResponse, target: string, faults: Faults) {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const path = incoming.url ?? '/'
  const work = faults.take(operationAt(path) ?? '')
  if (work?.code !== undefined && !work.done) {
    refuse(outgoing, work.code)
    return
  }
  if (work?.fault === 'unavailable') {
    outgoing.writeHead(503, { 'retry-after': '1' }).end()
    return
  }
  const { method, headers } = incoming
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(new URL(path, target), { method, headers, agent: false }, resolve)
      .on('error', reject)
      .end(Buffer.concat(chunks))
  })
  if (work?.fault === 'responseLost') {
    answer.resume()
    incoming.socket.destroy()
    return
  }
  if (work?.code !== undefined) {
    const fields: Buffer[] = []
    for await (const chunk of answer) fields.push(chunk)
    refuse(outgoing, work.code, JSON.parse(Buffer.concat(fields).toString('utf8')))
    return
  }
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
  answer.pipe(outgoing)
}

function refuse(outgoing: ServerResponse, code: string, fields: object = {}): void {
  const status = isErrorCode(code) ? errors[code as ErrorCode].status : 200
  const body = { ...fields, success: false, error: code, message: 'The story refuses it.' }
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function operationAt(path: string): string | undefined {
  return Object.values(operations).find(operation => path.endsWith(operation.path))?.name
}
