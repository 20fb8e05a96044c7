import type { FastifyInstance } from 'fastify'
import { type OperationName, openApiDocument, operations } from '#contract'

/** The OpenAPI document of the operations that are there. */
export function documentRoute(
  app: FastifyInstance,
  { names, address }: { names: readonly OperationName[]; address: () => string },
): void {
  app.get('/openapi.json', async () =>
    openApiDocument(
      names.map(name => operations[name]),
      address(),
    ),
  )
}
