import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { accessScope, documentPath, type OperationName, openApiDocument, type UidSignatureScheme } from '#contract'
import { referencePageRoutes } from '#http'

export interface DocumentParts {
  readonly names: readonly OperationName[]
  readonly address: () => string
  readonly uidSignatureScheme: UidSignatureScheme
}

const authentication = {
  preferredSecurityScheme: 'client',
  securitySchemes: { client: { flows: { clientCredentials: { selectedScopes: [accessScope] } } } },
}

/** Serves the OpenAPI document of the given operations, and its reference page. */
export function apiDocsRoutes(app: FastifyInstance, { names, address, uidSignatureScheme }: DocumentParts): void {
  let text: string | undefined
  app.get(documentPath, async (_request, reply) => {
    // Built on the first request: it takes longer than the rest of the start.
    text ??= JSON.stringify(openApiDocument({ names, baseUrl: address(), version: readVersion(), uidSignatureScheme }))
    return reply.type('application/json; charset=utf-8').send(text)
  })
  referencePageRoutes(app, { title: 'lockerflow', authentication })
}

/** The version of the service in package.json. */
function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return String(version)
}
