import type { Variable } from '#platform/settings'
import { telemetryVariables } from '#platform/telemetry'
import { stackVariables } from '#testing/stack/settings'
import { flowVariables } from '../flow/webUi.ts'

const prefix = 'LOCKERFLOW_'

const temporalPrefix = 'TEMPORAL_'

/** The variables that Temporal's SDK reads, and the file of its API key. */
const temporalNames: ReadonlySet<string> = new Set(
  [
    ...['ADDRESS', 'NAMESPACE', 'API_KEY', 'API_KEY_FILE', 'CONFIG_FILE', 'PROFILE', 'CODEC_ENDPOINT', 'CODEC_AUTH'],
    ...['TLS', 'TLS_CLIENT_CERT_PATH', 'TLS_CLIENT_CERT_DATA', 'TLS_CLIENT_KEY_PATH', 'TLS_CLIENT_KEY_DATA'],
    ...['TLS_SERVER_CA_CERT_PATH', 'TLS_SERVER_CA_CERT_DATA', 'TLS_SERVER_NAME', 'TLS_DISABLE_HOST_VERIFICATION'],
  ].map(name => `${temporalPrefix}${name}`),
)

/** Variables of the command itself, and those of `.env` that only docker-compose.yml reads. */
const others = [
  'LOCKERFLOW_PROFILE',
  'LOCKERFLOW_VERSION',
  'LOCKERFLOW_BEFORE',
  'LOCKERFLOW_CPUS',
  'LOCKERFLOW_SECRETS',
  'LOCKERFLOW_HARDWARE_ADAPTERS_FILE',
  'LOCKERFLOW_CODEC_URL',
  'LOCKERFLOW_DISPATCHER',
  'LOCKERFLOW_AUDIT_TENANT',
  'LOCKERFLOW_AUDIT_EVERY',
]

/** A variable that no process reads. */
export interface UnknownName {
  readonly setting: string
  readonly problem: string
}

/** Finds variables that begin like settings and are unknown, such as misspelled ones. Processes ignore them. */
export async function findUnknownNames(source: NodeJS.ProcessEnv): Promise<readonly UnknownName[]> {
  const given = Object.keys(source).filter(name => source[name])
  const own = given.filter(name => name.startsWith(prefix))
  const found = own.length === 0 ? [] : await findUnknown(own, prefix, await knownNames())
  // Other programs read further variables of Temporal, so only a name that is near counts.
  const others = given.filter(name => name.startsWith(temporalPrefix) && !name.startsWith('TEMPORAL_GRPC_META_'))
  const misspelled = (await findUnknown(others, temporalPrefix, temporalNames)).filter(({ suggested }) => suggested)
  return [...found, ...misspelled].map(({ setting, suggested }) => ({
    setting,
    problem: `no process reads this variable.${suggested}`,
  }))
}

async function findUnknown(given: readonly string[], prefix: string, known: ReadonlySet<string>) {
  const unknown = given.filter(name => !known.has(name)).toSorted()
  if (unknown.length === 0) return []
  const { suggest } = await import('#flows/check')
  const withoutPrefix = [...known].map(name => name.slice(prefix.length))
  return unknown.map(setting => {
    const suggested = suggest(setting.slice(prefix.length), withoutPrefix)
    return { setting, suggested: suggested.replace('"', `"${prefix}`) }
  })
}

/** The settings of all processes, with the variables that name a file of a secret. */
async function knownNames(): Promise<ReadonlySet<string>> {
  // A destructured import leaves the rest of a folder out of the bundle.
  const { codecVariables } = await import('#platform/codec')
  const { codecServerVariables } = await import('#gateway/codecServer/settings')
  const { gatewayVariables } = await import('#gateway/settings')
  const { serviceVariables } = await import('#service/settings')
  const { preparationVariables, promotionVariables, workerVariables } = await import('#worker/settings')
  const declared: Readonly<Record<string, Variable>> = {
    ...codecVariables,
    ...codecServerVariables,
    ...gatewayVariables,
    ...serviceVariables,
    ...telemetryVariables,
    ...workerVariables,
    ...preparationVariables,
    ...promotionVariables,
    ...stackVariables,
    ...flowVariables,
  }
  const files = Object.entries(declared).flatMap(([name, { secret }]) => (secret ? [`${name}_FILE`] : []))
  return new Set([...Object.keys(declared), ...files, ...others])
}
