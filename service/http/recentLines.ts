import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { jsonLines, recentQuery } from '#contract'
import { createUsage } from '#platform/limits'
import type { VerifyBearer } from '../auth/index.ts'
import { OperationError } from '../operationError.ts'
import type { Recent } from '../sandbox/index.ts'
import { validate } from './parseRequest.ts'

interface RecentLineParts {
  readonly verifyBearer: VerifyBearer
  readonly stopping: AbortSignal
}

interface RecentList<Entry extends { readonly id: string }> {
  readonly tenantId: string
  readonly recent: Recent<Entry>
  /** Lines before the entries. */
  readonly head?: readonly object[]
}

/**
 * Sends a list of recent entries, one JSON object per line. A follower gets each new entry until its token expires.
 * @throws OperationError InvalidRequest or RateLimited
 */
export type SendRecent = <Entry extends { readonly id: string }>(
  request: FastifyRequest,
  reply: FastifyReply,
  list: RecentList<Entry>,
) => FastifyReply

/** Open responses of one tenant. */
const maxFollowers = 8
/** Milliseconds between two blank lines, before each of which the token is checked again. */
const heartbeat = 10_000
/** Bytes that a slow reader may leave unread. */
const maxUnread = 1_048_576

export function createSendRecent({ verifyBearer, stopping }: RecentLineParts): SendRecent {
  const followers = createUsage()

  /** Returns a function that frees the place. */
  function takePlace(tenantId: string): () => void {
    if (followers.of(tenantId) >= maxFollowers) {
      const text = `A tenant may follow ${maxFollowers} lists at a time; close one of them first.`
      throw new OperationError('RateLimited', text, { retryAfter: 10 })
    }
    return followers.begin(tenantId)
  }

  function keepOpen<Entry extends { readonly id: string }>(
    { headers }: FastifyRequest,
    lines: Readable,
    { tenantId, recent }: RecentList<Entry>,
  ): void {
    const freePlace = takePlace(tenantId)
    const stop = () => {
      clearInterval(timer)
      unfollow()
      stopping.removeEventListener('abort', end)
    }
    const end = () => {
      stop()
      lines.push(null)
    }
    const unfollow = recent.follow(tenantId, entry => {
      if (lines.readableLength > maxUnread) lines.destroy()
      else lines.push(toLine(entry))
    })
    const timer = setInterval(async () => {
      try {
        await verifyBearer(headers.authorization)
        if (!lines.readableEnded) lines.push('\n')
      } catch {
        // The token has expired or was revoked. The reader returns with a new one.
        end()
      }
    }, heartbeat)
    stopping.addEventListener('abort', end)
    // Sends the headers at once.
    lines.push('\n')
    lines.once('close', () => {
      stop()
      freePlace()
    })
    // The service can have begun to stop while the token was checked, and the signal then never aborts again.
    if (stopping.aborted) end()
  }

  return (request, reply, list) => {
    const { after, follow } = validate(recentQuery, request.query)
    const lines = new Readable({ read: () => undefined })
    for (const line of [...(list.head ?? []), ...list.recent.list(list.tenantId, after)]) lines.push(toLine(line))
    if (follow === 'true') keepOpen(request, lines, list)
    else lines.push(null)
    return reply.type(jsonLines).header('cache-control', 'no-store').send(lines)
  }
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`
}
