import { z } from 'zod'
import { profileWords, readProfile, taskQueue } from '#contract/terms'
import { defaultWeakScheme, type WeakScheme } from '../signature.ts'
import { SettingsFault, type Values, type Variable } from './variable.ts'

const address = z.url({ protocol: /^https?$/, error: 'has to be an http or https address' })
const ourService = 'http://127.0.0.1:8080'

export const environmentVariable = {
  LOCKERFLOW_ENVIRONMENT: {
    meaning:
      'Staging or production: production has no SimulateLockerAccess, no sandbox faults and no defaults for secrets. The built-in doors pretend in both.',
    example: 'staging',
    schema: z.enum(['staging', 'production'], 'has to be staging or production').default('staging'),
  },
} as const satisfies Record<string, Variable>

/** The service that the orchestrator drives. */
export const drivenServiceVariables = {
  LOCKERFLOW_BASE_URL: { meaning: 'Address of the service.', example: ourService, schema: address.default(ourService) },
  LOCKERFLOW_AUTH_URL: {
    meaning: 'Address of its token service.',
    example: ourService,
    schema: address.default(ourService),
  },
  LOCKERFLOW_CLIENT_ID: {
    meaning: "Credentials at that service; in staging the demonstration client's.",
    example: 'acme',
    schema: z.string().optional(),
  },
  LOCKERFLOW_CLIENT_SECRET: {
    meaning: "Credentials at that service; in staging the demonstration client's.",
    example: 'acme-secret',
    schema: z.string().optional(),
  },
  LOCKERFLOW_SERVICE_PROFILE: {
    meaning: 'What that service can do.',
    example: Object.keys(profileWords).join(','),
    schema: z
      .string()
      .default(Object.keys(profileWords).join(','))
      .transform((text, context) => {
        const profile = readProfile(text)
        if (typeof profile !== 'string') return profile
        context.addIssue(`${profile} is none of ${Object.keys(profileWords).join(', ')}`)
        return z.NEVER
      }),
  },
} as const satisfies Record<string, Variable>

/** Address and credentials of the driven service. In production credentials have no default: throws a SettingsFault. */
export function drivenServiceOf(values: Values<typeof drivenServiceVariables & typeof environmentVariable>) {
  return {
    baseUrl: values.LOCKERFLOW_BASE_URL,
    authUrl: values.LOCKERFLOW_AUTH_URL,
    clientId: credential('LOCKERFLOW_CLIENT_ID', values),
    clientSecret: credential('LOCKERFLOW_CLIENT_SECRET', values),
  }
}

function credential(
  name: 'LOCKERFLOW_CLIENT_ID' | 'LOCKERFLOW_CLIENT_SECRET',
  values: Values<typeof drivenServiceVariables & typeof environmentVariable>,
): string {
  const variable = drivenServiceVariables[name]
  if (values[name] !== undefined) return values[name]
  if (values.LOCKERFLOW_ENVIRONMENT === 'staging') return variable.example
  throw new SettingsFault(name, variable, 'is missing; production has no credentials of its own')
}

/** A key of signatures: long enough not to be guessed, and fit for a header. */
export const signatureKey = z
  .string()
  .regex(/^[\x21-\x7e]{16,200}$/, 'has to be 16 to 200 printable ASCII characters without blanks')

export const weakSchemeVariable = {
  LOCKERFLOW_CALLBACK_HMAC: {
    meaning: "The service's own signature of callbacks.",
    example: 'header=X-HMAC;algorithm=sha256;encoding=hex',
    schema: z
      .string()
      .optional()
      .transform((text, context) => {
        const scheme = readWeakScheme(text ?? '')
        if (scheme !== undefined) return scheme
        context.addIssue('has to list header, algorithm (sha256, sha384, sha512) and encoding (hex, base64)')
        return z.NEVER
      }),
  },
} as const satisfies Record<string, Variable>

export const taskQueueVariable = {
  LOCKERFLOW_TASK_QUEUE: {
    meaning: 'The task queue that flows run on.',
    example: taskQueue,
    schema: z.string().default(taskQueue),
  },
} as const satisfies Record<string, Variable>

const weakScheme = z.object({
  header: z.string().min(1).toLowerCase(),
  algorithm: z.enum(['sha256', 'sha384', 'sha512']),
  encoding: z.enum(['hex', 'base64']),
})

function readWeakScheme(text: string): WeakScheme | undefined {
  const parts = text.split(';').filter(part => part.trim() !== '')
  const given = Object.fromEntries(parts.map(part => part.split('=').map(word => word.trim())))
  return weakScheme.safeParse({ ...defaultWeakScheme, ...given }).data
}
