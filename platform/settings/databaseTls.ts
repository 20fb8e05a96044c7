import { accessSync, constants } from 'node:fs'
import { z } from 'zod'
import { SettingsError } from './settingsError.ts'
import type { environmentVariable } from './shared.ts'
import type { Values, Variable } from './variable.ts'

/** TLS to PostgreSQL, in every process and command that connects to it. */
export const databaseTlsVariables = {
  LOCKERFLOW_DATABASE_TLS: {
    description:
      'TLS to PostgreSQL: required (the certificate and its host are verified), or optional (the URL decides). Default: required in production, optional in staging.',
    example: 'required',
    schema: z.enum(['required', 'optional'], 'must be required or optional').optional(),
  },
  LOCKERFLOW_DATABASE_CA: {
    description:
      "File with the certificates (PEM) of the authorities that may sign PostgreSQL's certificate. Default: those of Node.",
    example: '/etc/lockerflow/postgres-ca.pem',
    schema: z.string().refine(isReadableFile, 'must be a file that the process can read').optional(),
  },
} as const satisfies Record<string, Variable>

/** Parameters of a URL with which the driver would verify less than `verify-full`, or nothing. */
const parameters = ['ssl', 'sslmode', 'sslrootcert', 'sslnegotiation', 'uselibpqcompat'] as const

/** Values of `sslmode` that allow a connection without TLS. The driver reads both as `verify-full`, and never falls back. */
const fallbacks: readonly string[] = ['prefer', 'allow']

/** The URL of a database, and its setting or argument with an example, for the error. */
export interface DatabaseUrl {
  readonly name: string
  readonly url: string
  readonly example: string
}

/**
 * The URL of a database, with TLS unless the settings leave it to the URL. That of an embedded store stays as it is.
 * @throws SettingsError
 */
export function secureUrl(
  { name, url, example }: DatabaseUrl,
  values: Values<typeof environmentVariable & typeof databaseTlsVariables>,
): string {
  const production = values.LOCKERFLOW_ENVIRONMENT === 'production'
  const isRequired = (values.LOCKERFLOW_DATABASE_TLS ?? (production ? 'required' : 'optional')) === 'required'
  if (!/^postgres(ql)?:/.test(url)) return url
  if (!isRequired) {
    const mode = URL.parse(url)?.searchParams.get('sslmode')
    if (mode == null || !fallbacks.includes(mode)) return url
    const wrong = `must not contain sslmode=${mode}, which would need TLS here too. Write disable, for no TLS, or verify-full`
    throw new SettingsError({ name, wrong, example })
  }
  const parameter = findTlsParameter(url)
  if (parameter === undefined) return withTls(url, values.LOCKERFLOW_DATABASE_CA)
  const wrong = `must not contain ${parameter}, since LOCKERFLOW_DATABASE_TLS is required. Set LOCKERFLOW_DATABASE_TLS=optional to keep it`
  throw new SettingsError({ name, wrong, example })
}

/**
 * Returns the URL with which the driver connects by TLS only, and verifies the certificate and its host.
 * @param authorities path of a file with the certificates of authorities (PEM); undefined for those of Node
 */
function withTls(url: string, authorities: string | undefined): string {
  const secured = new URL(url)
  secured.searchParams.set('sslmode', 'verify-full')
  if (authorities !== undefined) secured.searchParams.set('sslrootcert', authorities)
  return secured.href
}

/** Returns the parameter of a URL that contradicts TLS, or undefined. */
function findTlsParameter(url: string): string | undefined {
  const given = new URL(url).searchParams
  return parameters.find(name => given.has(name) && !(name === 'sslmode' && given.get(name) === 'verify-full'))
}

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}
