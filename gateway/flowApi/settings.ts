import { z } from 'zod'
import type { ApiSettings } from '#contract/client'
import type { FlowDeclaration } from '#flows/declaration'
import {
  apiDocsVariable,
  decisionKeyVariable,
  hostVariable,
  httpUrl,
  isGiven,
  isProduction,
  type Problem,
  plainHttpProblem,
  port,
  readListeningHost,
  readTogether,
  readVariables,
  SettingsError,
  type Source,
  type TrustProxy,
  trustProxyVariable,
  type Variable,
} from '#platform/settings'
import { defaultRolesClaim } from './tokens/caller.ts'
import type { ConfirmationTimes } from './tokens/confirmation.ts'
import type { ServiceIssuer, TokenIssuer } from './tokens/issuer.ts'

/** The settings of the flow API: the listener at which callers start flows by HTTP. */
export interface FlowApiSettings {
  readonly host: string
  /** 0: a free port. */
  readonly port: number
  /** The issuers whose access tokens are accepted. */
  readonly issuers: readonly TokenIssuer[]
  /** Serves the reference page and the OpenAPI document, without a token. Default: true. */
  readonly apiDocs?: boolean
  /** Paths or patterns of files that declare your own flows. */
  readonly flowFiles?: readonly string[]
  /** Declarations of your own flows. */
  readonly flows?: readonly FlowDeclaration[]
  /** The keys of the links in notifications, the newest first. Without them the flow API has no pages of links. */
  readonly decisionKeys?: readonly string[]
  /** Proxies that name the caller's address. Default: none. */
  readonly trustProxy?: TrustProxy
  readonly limits?: Partial<FlowApiLimits>
}

/** The limits of the flow API. A caller is a subject of an issuer. */
export interface FlowApiLimits {
  /** Requests per second and caller, with bursts of twice as many. */
  readonly rate: number
  /** Open event streams per caller. */
  readonly streams: number
  /** Open event streams of all callers. */
  readonly allStreams: number
  /** Requests in progress per caller. */
  readonly requests: number
  /** Requests in progress of all callers. */
  readonly allRequests: number
  /** Milliseconds for which a call goes on when its caller has gone. A start or a cancellation has reached Temporal by then. */
  readonly lingering: number
  /** Lists in progress per caller. Further ones wait. */
  readonly lists: number
  /** Lists in progress of all callers. Each makes up to ten calls of Temporal at a time. */
  readonly allLists: number
  /** Bytes of a body. */
  readonly body: number
  /** Milliseconds within which a request must arrive completely. */
  readonly arrival: number
  /** Milliseconds after which a connection is closed on which a caller reads nothing of a response. */
  readonly stall: number
  /** Tokens per second and address whose signature is checked. Tokens that were checked before do not count. */
  readonly checkedTokens: number
  /** The validity of the service's confirmation of a client's token. */
  readonly confirmation: ConfirmationTimes
  /** Mean delay of the event loop in milliseconds, past which the flow API rejects requests, so that callbacks arrive. */
  readonly eventLoopDelay: number
}

export const defaultFlowApiLimits: FlowApiLimits = {
  rate: 100,
  streams: 20,
  allStreams: 500,
  requests: 100,
  allRequests: 500,
  lingering: 5_000,
  lists: 2,
  allLists: 8,
  body: 256 * 1_024,
  arrival: 15_000,
  stall: 60_000,
  checkedTokens: 200,
  confirmation: { fresh: 5_000, maxAge: 60_000 },
  eventLoopDelay: 250,
}

const issuerVariables = {
  LOCKERFLOW_FLOW_API_ISSUER: {
    description:
      'Issuer of the access tokens of the callers of the flow API: the `iss` of an OpenID provider. Production requires it, with the audience, or the clients of the service.',
    example: 'https://login.example',
    schema: httpUrl.optional(),
    production: { problem: plainHttpProblem },
  },
  LOCKERFLOW_FLOW_API_AUDIENCE: {
    description: 'Audience of the tokens of the issuer.',
    example: 'https://flows.example',
    schema: z.string().optional(),
  },
  LOCKERFLOW_FLOW_API_ROLES_CLAIM: {
    description:
      'Claim of the tokens of the issuer with the roles of the caller, a text or a list; `a.b` is the member `b` of the claim `a`. A caller may answer a question of a flow if the roles contain its `who`.',
    example: 'realm_access.roles',
    schema: z.string().min(1).default(defaultRolesClaim),
  },
  LOCKERFLOW_FLOW_API_SERVICE_ROLES: {
    description:
      'Also accepts the access tokens of the API clients of the service, but only those of the tenant of `LOCKERFLOW_CLIENT_ID`, and sets the roles in which they answer questions of flows, separated by commas: `*` for all of them, or `none`. Default in staging without an issuer: `*`.',
    example: 'staff, workshop',
    // The roles of a caller are no switch: a false would accept clients.
    schema: z
      .string()
      .regex(/^(?!\s*(true|false|yes|no|on|off|[01])\s*$)/i, 'must list roles, or be * for all of them or none')
      .transform(toRoles)
      .optional(),
  },
} as const satisfies Record<string, Variable>

export const flowApiVariables = {
  LOCKERFLOW_FLOW_API_PORT: {
    description:
      'Port of the flow API, at which callers start flows over HTTP; 0 means a free port. Without it the gateway has no flow API. See [start flows over HTTP](../how-to/call-flows.md).',
    example: '8085',
    schema: port(0).optional(),
  },
  ...hostVariable,
  ...issuerVariables,
  ...trustProxyVariable,
  ...apiDocsVariable,
  ...decisionKeyVariable,
  LOCKERFLOW_FLOWS: {
    description:
      'Declarations of your own flows that callers may start, as the worker has them: a path, or a pattern, of TypeScript, YAML or JSON files.',
    example: './flows/*.{ts,yaml}',
    schema: z.string().optional(),
  },
} as const satisfies Record<string, Variable>

/**
 * Reads the settings of the flow API; undefined without a port.
 * @param api the credentials of the gateway at the service
 * @throws SettingsError
 */
export function readFlowApi(source: Source, api: () => ApiSettings): FlowApiSettings | undefined {
  const { host, values, issuers } = readTogether({
    host: () => readListeningHost(source, '127.0.0.1'),
    values: () => readVariables(source, flowApiVariables),
    issuers: () => (source.LOCKERFLOW_FLOW_API_PORT ? readIssuers(source, api) : []),
  })
  const { LOCKERFLOW_FLOW_API_PORT: listening, LOCKERFLOW_FLOWS: flows } = values
  if (listening === undefined) return undefined
  return {
    host,
    port: listening,
    issuers,
    apiDocs: values.LOCKERFLOW_API_DOCS === 'true',
    trustProxy: values.LOCKERFLOW_TRUST_PROXY,
    ...(flows !== undefined && { flowFiles: [flows] }),
    decisionKeys: values.LOCKERFLOW_DECISION_LINKS_KEY?.filter(key => key !== undefined) ?? [],
  }
}

function readIssuers(source: Source, api: () => ApiSettings): TokenIssuer[] {
  const { values } = readTogether({
    values: () => readVariables(source, issuerVariables),
    issuer: () => requireIssuer(source),
    api: () => acceptsClients(source) && api(),
  })
  const { LOCKERFLOW_FLOW_API_ISSUER: issuer, LOCKERFLOW_FLOW_API_AUDIENCE: audience } = values
  const issuers: TokenIssuer[] = []
  if (issuer !== undefined && audience !== undefined) {
    issuers.push({ kind: 'openid', issuer, audience, rolesClaim: values.LOCKERFLOW_FLOW_API_ROLES_CLAIM })
  }
  if (acceptsClients(source)) {
    const { authUrl, clientId, clientSecret } = api()
    const roles = values.LOCKERFLOW_FLOW_API_SERVICE_ROLES ?? 'all'
    issuers.push({ kind: 'service', authUrl, clientId, clientSecret, roles })
  }
  return issuers
}

/** Without their roles, only in staging without an issuer. */
function acceptsClients(source: Source): boolean {
  if (isGiven(source, 'LOCKERFLOW_FLOW_API_SERVICE_ROLES')) return true
  return !isProduction(source) && !isGiven(source, 'LOCKERFLOW_FLOW_API_ISSUER')
}

/** Without an audience, a token that its issuer made for another program would start flows. @throws SettingsError */
function requireIssuer(source: Source): void {
  if (!isGiven(source, 'LOCKERFLOW_FLOW_API_ISSUER') && acceptsClients(source)) return
  const needed = ['LOCKERFLOW_FLOW_API_ISSUER', 'LOCKERFLOW_FLOW_API_AUDIENCE'] as const
  const names = needed.filter(name => !isGiven(source, name))
  if (names.length > 0) throw new SettingsError(...names.map(toMissing))
}

function toRoles(listed: string): NonNullable<ServiceIssuer['roles']> {
  const roles = listed.split(',').map(role => role.trim())
  return roles.includes('*') ? 'all' : roles.filter(role => role !== '' && role !== 'none')
}

function toMissing(name: keyof typeof flowApiVariables): Problem {
  const { example } = flowApiVariables[name]
  const wrong =
    'is missing. LOCKERFLOW_FLOW_API_PORT opens a listener, which needs an issuer of tokens and its audience'
  return { name, wrong, example }
}
