import { suggest } from '#contract/terms'
import type { Source } from './variable.ts'

const prefix = 'LOCKERFLOW_'

const words = (text: string) => text.trim().split(/\s+/)

/** The settings of all processes. They are listed here, since a process cannot import the settings of another one. */
const plain = words(`
  ACTIVITIES ALLOW_PRIVATE_CALLBACKS API_DOCS AUTH_URL BASE_URL BUILD_ID CALENDARS CALLBACK_HMAC
  CALLBACK_REGISTRATION CLIENT_ID CODEC CODEC_BEHIND_PROXY CODEC_ORIGINS CODEC_PORT DATABASE_CA
  DATABASE_CONNECTIONS DATABASE_TLS DECISION_LINKS_URL DEPLOYMENT ENVIRONMENT FLOWS FLOW_API_AUDIENCE
  FLOW_API_ISSUER FLOW_API_PORT FLOW_API_ROLES_CLAIM FLOW_API_SERVICE_ROLES
  GATEWAY_PORT GATEWAY_URL HARDWARE_ADAPTERS HARDWARE_URL HOST KEEP_AUDIT KEEP_SHIPMENTS LOG_LEVEL
  MAX_ACTIVITIES_PER_SECOND MAX_CACHED_WORKFLOWS MAX_OUTSIDE_ACTIVITIES
  METRICS_PORT POLL_INTERVAL PUBLIC_URL RATE_LIMIT RETENTION
  SERVICE_PORT SERVICE_PROFILE SHED_LOAD STATEMENT_TIMEOUT TASK_QUEUE TEMPORAL_PORT TEMPORAL_UI_PORT
  TEMPORAL_UI_URL TOPOLOGY TRUST_PROXY WORKER_POLLERS WORKER_PORT WORKER_SLOTS WORKFLOW_BUNDLE
`)

/** Those that may come from a file: `…_FILE` is its path. */
const secret = words(`
  CALLBACK_KEY CLIENT_SECRET CODEC_KEYS DATABASE_URL DECISION_LINKS_KEY
  HARDWARE_KEY NOTIFICATIONS_KEY
  NOTIFICATIONS_URL SIGNING_KEY STORE_KEYS
`)

/** Those that docker-compose.yml reads from `.env`. */
const ofCompose = words(`
  VERSION BEFORE CPUS SECRETS HARDWARE_ADAPTERS_FILE CODEC_URL DISPATCHER AUDIT_TENANT AUDIT_EVERY
`)

/** Every name that a process or docker-compose.yml reads. */
export const settingNames: readonly string[] = [
  ...plain,
  ...secret,
  ...secret.map(name => `${name}_FILE`),
  ...ofCompose,
].map(name => prefix + name)

/** The variables that Temporal's SDK reads, and the file of its API key. */
const ofTemporal = words(`
  ADDRESS NAMESPACE API_KEY API_KEY_FILE CONFIG_FILE PROFILE CODEC_ENDPOINT CODEC_AUTH TLS TLS_CLIENT_CERT_PATH
  TLS_CLIENT_CERT_DATA TLS_CLIENT_KEY_PATH TLS_CLIENT_KEY_DATA TLS_SERVER_CA_CERT_PATH TLS_SERVER_CA_CERT_DATA
  TLS_SERVER_NAME TLS_DISABLE_HOST_VERIFICATION
`).map(name => `TEMPORAL_${name}`)

/** A variable that no process reads. */
export interface UnknownName {
  readonly setting: string
  readonly problem: string
}

/** Finds variables that begin like settings and are unknown, such as misspelled ones. Processes ignore them. */
export function findUnknownNames(source: Source): readonly UnknownName[] {
  const given = Object.keys(source).filter(name => source[name])
  const own = findUnknown(given, prefix, settingNames)
  // Other programs read further variables of Temporal, so only a name that is near counts.
  const near = findUnknown(given, 'TEMPORAL_', ofTemporal).filter(({ suggested }) => suggested)
  return [...own, ...near].map(({ setting, suggested }) => ({
    setting,
    problem: `no process reads this variable.${suggested}`,
  }))
}

function findUnknown(given: readonly string[], start: string, known: readonly string[]) {
  const withoutStart = known.map(name => name.slice(start.length))
  return given
    .filter(name => name.startsWith(start) && !name.startsWith('TEMPORAL_GRPC_META_') && !known.includes(name))
    .toSorted()
    .map(setting => {
      const suggested = suggest(setting.slice(start.length), withoutStart)
      return { setting, suggested: suggested.replace('"', `"${start}`) }
    })
}
