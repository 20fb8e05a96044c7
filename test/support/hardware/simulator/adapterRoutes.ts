import type { FastifyInstance, FastifyReply } from 'fastify'
import {
  adapterPaths,
  checkWebhookSignature,
  maxMessageBytes,
  openRequest,
  type StateResponse,
  stateRequest,
  webhookHeaders,
  webhookSignatureHeaders,
} from '#contract'
import type { OpenResult, SimulatedDoor } from './doors.ts'

export interface AdapterRouteParts {
  /** Newest first. */
  readonly keys: readonly string[]
  /** Returns the door, or undefined if the adapter has no such door. */
  readonly find: (pupUid: string, lockerUid: string) => SimulatedDoor | undefined
}

/**
 * The two operations of the protocol. The signature is verified over the raw bytes, before they are parsed, and
 * responses are signed.
 */
export function adapterRoutes(app: FastifyInstance, { keys, find }: AdapterRouteParts): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxMessageBytes }, (_request, bytes, done) =>
    done(null, bytes),
  )
  app.addHook('preHandler', async ({ headers, body }, reply) => {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
    const fault = checkWebhookSignature(keys, headers, bytes, Math.floor(Date.now() / 1_000))
    // The response leaves the reason out: it would help a forger.
    if (fault !== undefined) await reply.code(401).send()
  })

  // Signed with the id of the request, which the caller has just sent.
  app.addHook('onSend', async ({ headers }, reply, payload) => {
    const id = headers[webhookHeaders.id]
    if (reply.statusCode !== 200 || typeof id !== 'string') return payload
    const timestamp = Math.floor(Date.now() / 1_000)
    reply.headers(webhookSignatureHeaders(keys, id, timestamp, String(payload)))
    return payload
  })

  /** Opened ids, each with its door: an id of one door must not open another. */
  const doorsById = new Map<string, SimulatedDoor>()

  app.post(adapterPaths.open, async ({ headers, body }, reply) => {
    const read = openRequest.safeParse(parseJson(body))
    if (!read.success || headers[webhookHeaders.id] !== read.data.openId) return reply.code(400).send()
    const { openId, pupUid, lockerUid, validForMs } = read.data
    const door = find(pupUid, lockerUid)
    if (door === undefined) return reply.code(404).send()
    if ((doorsById.get(openId) ?? door) !== door) return reply.code(409).send()
    doorsById.set(openId, door)
    return sendResult(await door.open(openId, validForMs), reply)
  })

  app.post(adapterPaths.state, async ({ body }, reply) => {
    const read = stateRequest.safeParse(parseJson(body))
    if (!read.success) return reply.code(400).send()
    const door = find(read.data.pupUid, read.data.lockerUid)
    if (door === undefined) return reply.code(404).send()
    const { lockerUid, state, sequence } = door.status()
    return { lockerUid, state, sequence } satisfies StateResponse
  })
}

function sendResult(result: OpenResult, reply: FastifyReply): FastifyReply {
  if (result.kind === 'unavailable') return reply.code(503).header('retry-after', '1').send()
  if (!result.cut) return reply.send(result.response)
  reply.raw.destroy()
  return reply.hijack()
}

function parseJson(bytes: unknown): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes as Buffer))
  } catch {
    return undefined
  }
}
