import type { FastifyInstance } from 'fastify'
import { documentPath } from '#contract'
import { referencePageRoutes } from '#http'

export interface ApiDocsParts {
  /** The OpenAPI document. */
  readonly document: () => object
}

const authentication = { preferredSecurityScheme: 'token' }

/** Serves the OpenAPI document of the door, and its reference page. */
export function apiDocsRoutes(app: FastifyInstance, { document }: ApiDocsParts): void {
  let text: string | undefined
  app.get(documentPath, async (_request, reply) => {
    // Built on the first request: it takes longer than the rest of the start.
    text ??= JSON.stringify(document())
    return reply.type('application/json; charset=utf-8').send(text)
  })
  referencePageRoutes(app, { title: 'lockerflow flows', authentication })
}
