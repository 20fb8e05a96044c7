import type { FastifyInstance, FastifyReply } from 'fastify'
import { commonHeaders, decisionPath, type ReadDecisionLink, readDecisionLink } from '#contract'
import { createRateLimiter } from '#platform/limits'
import { type Decider, decideByLink } from './decide.ts'
import { type Page, pages, renderPage, styleHash } from './page.ts'

export interface DecisionParts extends Decider {
  /** The keys that sign links, the newest first. */
  readonly keys: readonly string[]
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Bytes of a body, which nothing reads: the address says everything. */
const bodyLimit = 1_024

/** Each decision costs several calls of Temporal, and everyone who has a link can repeat it. Milliseconds. */
const limit = { burst: 20, interval: 3_000 } as const

/** Seconds in Retry-After when the flow or Temporal does not respond. A person tries again, and programs need not hurry. */
const retryAfter = 60

/** The token has a case number of 60 characters, in base64. */
const path = `${decisionPath}:token`

/** The page runs no script and loads nothing. Its address goes to no other site, and to no cache or search engine. */
const headers = {
  ...commonHeaders,
  'content-security-policy': `default-src 'none'; style-src '${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
} as const

/**
 * Adds the pages of links. GET shows the decision, so that a mail scanner that opens every address decides nothing. POST
 * decides, once for each link, even at several gateways. A link that is repeated too often is limited.
 */
export async function decisionRoutes(app: FastifyInstance, parts: DecisionParts): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { bodyLimit, parseAs: 'string' }, (_request, _body, done) => done(null))

  const limiter = createRateLimiter(limit)
  const read = (token: string) => readDecisionLink(parts.keys, token, parts.clock() / 1_000)

  app.route<{ Params: { token: string } }>({
    method: ['GET', 'HEAD'],
    url: path,
    async handler({ params }, reply) {
      const link = read(params.token)
      return send(reply, typeof link === 'string' ? pages[link] : pages.ask, link)
    },
  })

  app.post<{ Params: { token: string } }>(path, { bodyLimit }, async ({ params }, reply) => {
    const link = read(params.token)
    if (typeof link === 'string') return send(reply, pages[link], link)
    const wait = limiter.take(link.id)
    if (wait > 0) return send(reply.header('retry-after', Math.ceil(wait / 1_000)), pages.limited, link)
    const decided = await decideByLink(parts, link)
    if (decided === 'unavailable') reply.header('retry-after', retryAfter)
    return send(reply, pages[decided], link)
  })
}

function send(reply: FastifyReply, page: Page, link: ReadDecisionLink | string): FastifyReply {
  reply.code(page.status).headers(headers).type('text/html; charset=utf-8')
  return reply.send(renderPage(page, typeof link === 'string' ? undefined : link))
}
