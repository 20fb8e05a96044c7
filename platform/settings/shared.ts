import { z } from 'zod'
import { isWebhookKey, mustBeTaskQueue, mustBeWebhookKey, taskQueuePattern } from '#contract'
import { profileWords, readProfile, taskQueue } from '#contract/terms'
import { isLoopbackHost, isPrivateHost } from '#platform/addresses'
import { readServiceProxies } from './proxies.ts'
import { readVariables } from './read.ts'
import { readTogether, SettingsError } from './settingsError.ts'
import type { Source, Variable } from './variable.ts'
import { entriesOf } from './weakSecrets.ts'

const localService = 'http://127.0.0.1:8080'

/** An address that errors and logs show. `fetch` refuses one with a password. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine(text => lacks(text, 'username', 'password'), 'must have no user name or password')

/** An address to which paths are appended. */
export const baseAddress = httpUrl.refine(text => lacks(text, 'search', 'hash'), 'must have no query or fragment')

function lacks(text: string, ...parts: readonly (keyof URL)[]): boolean {
  const url = URL.parse(text)
  return parts.every(part => !url?.[part])
}

/** Plain http would send tokens and personal data over the internet. Inside a private network it is allowed. */
export function plainHttpProblem(text: string): string | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' || isPrivateHost(url.hostname)) return undefined
  return 'must be https in production, since its host is public'
}

export const environmentVariable = {
  LOCKERFLOW_ENVIRONMENT: {
    description:
      'Staging or production. Production has no SimulateLockerAccess, no sandbox faults, no simulated locker doors and no default addresses and secrets. Without it the processes are in staging and listen on loopback only.',
    example: 'staging',
    schema: z.enum(['staging', 'production'], 'must be staging or production').default('staging'),
  },
} as const satisfies Record<string, Variable>

export const apiDocsVariable = {
  LOCKERFLOW_API_DOCS: {
    description:
      "Serves the reference pages and the OpenAPI documents of the service and of the flow API, which need no token. The document of the flow API names the team's own flows.",
    example: 'false',
    schema: z.enum(['true', 'false'], 'must be true or false').default('true'),
  },
} as const satisfies Record<string, Variable>

export const logLevelVariable = {
  LOCKERFLOW_LOG_LEVEL: {
    description:
      'Lines of the log: those of this level and of more severe ones. debug adds a line per health probe; silent writes none.',
    example: 'info',
    schema: z
      .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug'], 'must be silent, fatal, error, warn, info or debug')
      .default('info'),
  },
} as const satisfies Record<string, Variable>

export const hostVariable = {
  LOCKERFLOW_HOST: {
    description:
      'Network address on which the process listens, apart from its metrics. The codec server has no sign-in, so one other than loopback needs LOCKERFLOW_CODEC_BEHIND_PROXY there. Default: loopback for the flow API, the codec server, the built-in topology and a process without LOCKERFLOW_ENVIRONMENT, otherwise all addresses.',
    example: '127.0.0.1',
    schema: z.string().optional(),
  },
} as const satisfies Record<string, Variable>

/**
 * The address to listen on. Only a process whose environment is named may be reachable from other machines.
 * @param usual the default in a named environment; undefined for all addresses
 * @param hostName the variable with the address
 * @throws SettingsError
 */
export function readListeningHost<Usual extends string | undefined>(
  source: Source,
  usual: Usual,
  hostName = 'LOCKERFLOW_HOST',
): string | Usual {
  const host = source[hostName] || undefined
  if (source.LOCKERFLOW_ENVIRONMENT) return host ?? usual
  if (host === undefined || isLoopbackHost(host)) return host ?? '127.0.0.1'
  const wrong = `must be staging or production, since ${hostName} is not a loopback address`
  throw new SettingsError({ name: 'LOCKERFLOW_ENVIRONMENT', wrong, example: 'staging' })
}

/** The address at which this machine reaches a listener: one on all interfaces is reached on loopback. */
export function toListenerAddress(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The service that the orchestrator calls. */
export const drivenServiceVariables = {
  LOCKERFLOW_BASE_URL: {
    description: 'Address of the service. In production http is allowed for private hosts only.',
    example: localService,
    schema: baseAddress,
    staging: localService,
    production: { problem: plainHttpProblem },
  },
  LOCKERFLOW_AUTH_URL: {
    description:
      'Address of the token endpoint of the service. In staging LOCKERFLOW_BASE_URL, if that is set. In production http is allowed for private hosts only.',
    example: localService,
    schema: baseAddress,
    staging: localService,
    production: { problem: plainHttpProblem },
  },
  LOCKERFLOW_CLIENT_ID: {
    description: "Credentials at that service; in staging the demonstration client's.",
    example: 'acme',
    schema: z.string(),
    staging: 'acme',
  },
  LOCKERFLOW_CLIENT_SECRET: {
    description: "Credentials at that service; in staging the demonstration client's.",
    example: 'acme-secret',
    schema: z.string(),
    staging: 'acme-secret',
    secret: true,
  },
  LOCKERFLOW_SERVICE_PROFILE: {
    description:
      'Capabilities of the service beyond the specification: reads (it has GetShipments), reads-by-case (GetShipments filters by referenceCaseNo), idempotent (creates honour Idempotency-Key), standard-webhooks (callbacks have that signature). none: no such capability. See [use another service](../how-to/use-another-service.md).',
    example: Object.keys(profileWords).join(','),
    schema: z
      .string()
      .default(Object.keys(profileWords).join(','))
      .transform((text, context) => {
        const profile = readProfile(text)
        if (typeof profile !== 'string') return profile
        context.addIssue(`must be none, or a list of ${Object.keys(profileWords).join(', ')}, not ${profile}`)
        return z.NEVER
      }),
  },
} as const satisfies Record<string, Variable>

/**
 * Reads the address and the credentials of the service.
 * @throws SettingsError
 */
export function readDrivenService(source: Source) {
  const { values, proxies } = readTogether({
    values: () => readVariables(source, drivenServiceVariables),
    proxies: () => readServiceProxies(source),
  })
  // Our service signs in at its own address, so one variable is enough in staging.
  const authUrl = source.LOCKERFLOW_AUTH_URL ? values.LOCKERFLOW_AUTH_URL : values.LOCKERFLOW_BASE_URL
  return {
    api: {
      baseUrl: values.LOCKERFLOW_BASE_URL,
      authUrl,
      clientId: values.LOCKERFLOW_CLIENT_ID,
      clientSecret: values.LOCKERFLOW_CLIENT_SECRET,
      ...(proxies && { proxies }),
    },
    profile: values.LOCKERFLOW_SERVICE_PROFILE,
  }
}

/** A signature key: long enough to resist guessing, valid in a header, and a text or a secret of Standard Webhooks. */
export const signatureKey = z
  .string()
  // A comma separates keys.
  .regex(/^[\x21-\x2b\x2d-\x7e]{16,200}$/, 'must be 16 to 200 printable ASCII characters without blanks and commas')
  .refine(isWebhookKey, mustBeWebhookKey)

/** A key, or the new and the previous one during a rotation, separated by a comma or a line. */
export const signatureKeys = z
  .string()
  .transform((text): unknown => entriesOf(text))
  .pipe(z.tuple([signatureKey, signatureKey.optional()], 'must be one key, or two separated by a comma: new,old'))

/** The key of decision links, which workers sign with and gateways check. */
export const decisionKeyVariable = {
  LOCKERFLOW_DECISION_LINKS_KEY: {
    description:
      'Key that signs the links in notifications by which an overdue flow is decided, or two during a rotation, as `new,old`: the first one signs, and the links of both are accepted. Workers and gateways need the same. See [decide by link](../how-to/look-after-flows.md#decide-by-link).',
    example: 'choose-32-random-characters-here',
    schema: signatureKeys.optional(),
    secret: entriesOf,
  },
} as const satisfies Record<string, Variable>

export const taskQueueVariable = {
  LOCKERFLOW_TASK_QUEUE: {
    description: 'The task queue of the flows.',
    example: taskQueue,
    schema: z.string().regex(taskQueuePattern, mustBeTaskQueue).default(taskQueue),
  },
} as const satisfies Record<string, Variable>
