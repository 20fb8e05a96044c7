import type { FastifyInstance } from 'fastify'
import { accessScope, type OperationName, openApiDocument, operations, type UploadName } from '#contract'
import { apiDocsRoutes } from '#platform/http'
import { createShares } from '#platform/limits'
import type { Handlers } from '../operations/handler.ts'
import { createAuthenticate } from './admission.ts'
import type { ServiceAppParts } from './appParts.ts'
import type { BodyRate } from './bodyRate.ts'
import { hardwareRoutes } from './hardwareRoutes.ts'
import { healthRoutes } from './health.ts'
import { operationRoutes } from './operationRoutes.ts'
import { createRates } from './rateLimit.ts'
import { createRunOperation } from './runOperation.ts'
import { sandboxRoutes } from './sandboxRoutes.ts'
import { Overloaded } from './shedding.ts'
import { tokenRoutes } from './tokenRoutes.ts'
import { createUnread } from './unread.ts'
import { uploadRoutes } from './uploadRoutes.ts'

/** The reference page signs in as an API client. */
const authentication = {
  preferredSecurityScheme: 'client',
  securitySchemes: { client: { flows: { clientCredentials: { selectedScopes: [accessScope] } } } },
}

/** Adds the routes that this environment has. */
export function addRoutes(app: FastifyInstance, parts: ServiceAppParts, bodyRate: BodyRate | undefined): void {
  const { environment, store, handlers, verifyBearer, rateLimit: perSecond, clock, traffic } = parts
  const unread = createUnread(parts.maxUnread)
  const names = servedOperations(handlers, environment)
  const rates = perSecond > 0 ? createRates({ perSecond, store, clock }) : undefined
  app.addHook('onClose', () => rates?.stop())
  app.register(async scope => tokenRoutes(scope, { ...parts, rates, unread }))
  app.register(async scope => healthRoutes(scope, parts))
  const { doorReports, hardwareAdapters: adapters, hardwareEventRate } = parts
  if (doorReports)
    app.register(async scope =>
      hardwareRoutes(scope, { ...parts, adapters, eventRate: hardwareEventRate, doorReports }),
    )
  if (parts.apiDocs) {
    const { address, uidSignatureScheme } = parts
    const createDocument = (version: string) =>
      openApiDocument({ names, baseUrl: address(), version, uidSignatureScheme })
    app.register(async scope => apiDocsRoutes(scope, { title: 'lockerflow', authentication, createDocument }))
  }
  const authenticate = createAuthenticate({ verifyBearer, rateLimit: rates?.operations, unread })
  const shares = createShares(parts.connections, () => new Overloaded())
  const runOperation = createRunOperation({
    ...parts,
    runInShare: shares.run,
    sandbox: environment === 'staging',
  })
  const uploads = names.filter(isUpload)
  const others = names.filter(name => !isUpload(name))
  app.register(async scope => operationRoutes(scope, { names: others, authenticate, runOperation }))
  app.register(async scope =>
    uploadRoutes(scope, { ...parts, ...shares, bodyRate, names: uploads, authenticate, runOperation }),
  )
  if (traffic !== undefined && environment === 'staging')
    app.register(async scope => sandboxRoutes(scope, { ...parts, traffic, authenticate }))
}

function isUpload(name: OperationName): name is UploadName {
  return 'upload' in operations[name]
}

function servedOperations(handlers: Handlers, environment: ServiceAppParts['environment']): readonly OperationName[] {
  return (Object.keys(operations) as OperationName[]).filter(
    name => handlers[name] !== undefined && (environment === 'staging' || !('stagingOnly' in operations[name])),
  )
}
