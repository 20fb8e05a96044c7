import { z } from 'zod'
import { profileWords, readProfile, taskQueue } from '#contract/terms'
import { defaultUidSignatureScheme, type UidSignatureScheme } from '../signature.ts'
import { SettingsError, type Values, type Variable } from './variable.ts'

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })
const localService = 'http://127.0.0.1:8080'

export const environmentVariable = {
  LOCKERFLOW_ENVIRONMENT: {
    description:
      'Staging or production. Production has no SimulateLockerAccess, no sandbox faults and no default secrets. Locker doors are simulated in both.',
    example: 'staging',
    schema: z.enum(['staging', 'production'], 'must be staging or production').default('staging'),
  },
} as const satisfies Record<string, Variable>

/** The service that the orchestrator calls. */
export const drivenServiceVariables = {
  LOCKERFLOW_BASE_URL: {
    description: 'Address of the service.',
    example: localService,
    schema: httpUrl.default(localService),
  },
  LOCKERFLOW_AUTH_URL: {
    description: 'Address of the token endpoint of the service.',
    example: localService,
    schema: httpUrl.default(localService),
  },
  LOCKERFLOW_CLIENT_ID: {
    description: "Credentials at that service; in staging the demonstration client's.",
    example: 'acme',
    schema: z.string().optional(),
  },
  LOCKERFLOW_CLIENT_SECRET: {
    description: "Credentials at that service; in staging the demonstration client's.",
    example: 'acme-secret',
    schema: z.string().optional(),
  },
  LOCKERFLOW_SERVICE_PROFILE: {
    description: 'Capabilities of the service.',
    example: Object.keys(profileWords).join(','),
    schema: z
      .string()
      .default(Object.keys(profileWords).join(','))
      .transform((text, context) => {
        const profile = readProfile(text)
        if (typeof profile !== 'string') return profile
        context.addIssue(`must be a list of ${Object.keys(profileWords).join(', ')}, not ${profile}`)
        return z.NEVER
      }),
  },
} as const satisfies Record<string, Variable>

/**
 * Address and credentials of the service.
 * @throws SettingsError for missing credentials in production, which has no default ones
 */
export function readDrivenService(values: Values<typeof drivenServiceVariables & typeof environmentVariable>) {
  return {
    baseUrl: values.LOCKERFLOW_BASE_URL,
    authUrl: values.LOCKERFLOW_AUTH_URL,
    clientId: requireCredential('LOCKERFLOW_CLIENT_ID', values),
    clientSecret: requireCredential('LOCKERFLOW_CLIENT_SECRET', values),
  }
}

function requireCredential(
  name: 'LOCKERFLOW_CLIENT_ID' | 'LOCKERFLOW_CLIENT_SECRET',
  values: Values<typeof drivenServiceVariables & typeof environmentVariable>,
): string {
  const variable = drivenServiceVariables[name]
  if (values[name] !== undefined) return values[name]
  if (values.LOCKERFLOW_ENVIRONMENT === 'staging') return variable.example
  throw new SettingsError(name, variable, 'is missing; production has no default credentials')
}

/** A signature key: long enough to resist guessing, and valid in a header. */
export const signatureKey = z
  .string()
  .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 printable ASCII characters without blanks')

export const uidSignatureVariable = {
  LOCKERFLOW_CALLBACK_HMAC: {
    description: "The service's own signature of callbacks.",
    example: 'header=X-HMAC;algorithm=sha256;encoding=hex',
    schema: z
      .string()
      .optional()
      .transform((text, context) => {
        const scheme = readUidSignatureScheme(text ?? '')
        if (scheme !== undefined) return scheme
        context.addIssue('must list header, algorithm (sha256, sha384, sha512) and encoding (hex, base64)')
        return z.NEVER
      }),
  },
} as const satisfies Record<string, Variable>

export const taskQueueVariable = {
  LOCKERFLOW_TASK_QUEUE: {
    description: 'The task queue of the flows.',
    example: taskQueue,
    schema: z.string().default(taskQueue),
  },
} as const satisfies Record<string, Variable>

const uidSignatureScheme = z.object({
  header: z.string().min(1).toLowerCase(),
  algorithm: z.enum(['sha256', 'sha384', 'sha512']),
  encoding: z.enum(['hex', 'base64']),
})

function readUidSignatureScheme(text: string): UidSignatureScheme | undefined {
  const parts = text.split(';').filter(part => part.trim() !== '')
  const declared = Object.fromEntries(parts.map(part => part.split('=').map(word => word.trim())))
  return uidSignatureScheme.safeParse({ ...defaultUidSignatureScheme, ...declared }).data
}
