import type { FastifyInstance } from 'fastify'
import { documentPath, type OperationName, openApiDocument, type WeakScheme } from '#contract'
import { readVersion } from '../version.ts'

export interface DocumentParts {
  readonly names: readonly OperationName[]
  readonly address: () => string
  readonly weakScheme: WeakScheme
}

/** The OpenAPI document of the operations that are there. */
export function documentRoute(app: FastifyInstance, { names, address, weakScheme }: DocumentParts): void {
  let text: string | undefined
  app.get(documentPath, async (_request, reply) => {
    // Not before somebody asks: it takes longer to make than the rest of the start.
    text ??= JSON.stringify(openApiDocument({ names, address: address(), version: readVersion(), weakScheme }))
    return reply.type('application/json; charset=utf-8').send(text)
  })
}
