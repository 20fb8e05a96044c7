import type { IncomingMessage, ServerResponse } from 'node:http'
import { operationAt } from '#contract'
import { type ErrorCode, errors, isErrorCode } from '#contract/terms'
import type { RealFaults } from './faults.ts'
import { forward, type RunningProxy, startProxy } from './proxy.ts'

/**
 * Starts a proxy before the service, at which the calls of the worker fail as a story demands.
 * @param target the address of the service
 */
export function startRelay(target: string, faults: RealFaults): Promise<RunningProxy> {
  return startProxy((incoming, body, outgoing) => carry(incoming, body, outgoing, { target, faults }))
}

async function carry(
  incoming: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
  { target, faults }: { readonly target: string; readonly faults: RealFaults },
) {
  const work = faults.take(operationAt(incoming.url ?? '/') ?? '')
  if (work?.code !== undefined && !work.done) {
    refuse(outgoing, work.code)
    return
  }
  if (work?.fault === 'unavailable') {
    outgoing.writeHead(503, { 'retry-after': '1' }).end()
    return
  }
  const answer = await forward(incoming, body, target)
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
