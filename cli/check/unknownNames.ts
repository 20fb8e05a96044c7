import type { Variable } from '#contract/settings'
import { telemetryVariables } from '#telemetry'
import { flowVariables } from '../flow/webUi.ts'
import { stackVariables } from '../settings.ts'

const prefix = 'LOCKERFLOW_'

/** Variables of the command itself, and those of `.env` that only docker-compose.yml reads. */
const others = [
  'LOCKERFLOW_PROFILE',
  'LOCKERFLOW_VERSION',
  'LOCKERFLOW_BEFORE',
  'LOCKERFLOW_DATABASE_PASSWORD',
  'LOCKERFLOW_TOPOLOGY_FILE',
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
  const given = Object.keys(source).filter(name => name.startsWith(prefix) && source[name])
  if (given.length === 0) return []
  const known = await knownNames()
  const unknown = given.filter(name => !known.has(name)).toSorted()
  if (unknown.length === 0) return []
  const { suggest } = await import('#declarations')
  const withoutPrefix = new Map([...known].map(name => [name.slice(prefix.length), name]))
  return unknown.map(setting => {
    const suggested = suggest(setting.slice(prefix.length), withoutPrefix.keys())
    return { setting, problem: `no process reads this variable.${suggested.replace('"', `"${prefix}`)}` }
  })
}

/** The settings of all processes, with the variables that name a file of a secret. */
async function knownNames(): Promise<ReadonlySet<string>> {
  // A destructured import leaves the rest of a folder out of the bundle.
  const { codecVariables, personalVariables } = await import('#codec')
  const { codecServerVariables } = await import('#codecServer/environment')
  const { gatewayVariables } = await import('#gateway/processSettings')
  const { simulatorVariables } = await import('#hardware/environment')
  const { serviceVariables } = await import('#service/environment')
  const { preparationVariables, promotionVariables, workerVariables } = await import('#worker/fromEnvironment')
  const declared: Readonly<Record<string, Variable>> = {
    ...codecVariables,
    ...personalVariables,
    ...codecServerVariables,
    ...gatewayVariables,
    ...simulatorVariables,
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
