import { healthPaths } from '#contract'
import { gatewayVariables } from '#gateway/settings'
import { isFree } from '#platform/ports'
import { readVariables } from '#platform/settings'
import { portSettings, readPorts } from '#testing/stack/settings'
import { type Finding, type Installation, ok, wrong } from './examination.ts'

/** The packages declare it, too. */
const neededMajor = 24
const ip = '127.0.0.1'

/** A path at which one of our processes responds, and a field of the response. */
interface KnownAnswer {
  readonly path: string
  readonly field: string
}

const live: KnownAnswer = { path: healthPaths.live, field: 'live' }
const knownAnswers: Readonly<Record<string, KnownAnswer>> = {
  [portSettings.service]: { path: healthPaths.live, field: 'success' },
  [portSettings.ui]: { path: '/api/v1/settings', field: 'Codec' },
}

/** Parts that not every installation has. Their ports are examined if they are set. */
const optional: readonly string[] = [portSettings.codec]

/** The version of Node. */
export async function examineNode(): Promise<Finding> {
  const { node } = process.versions
  if (Number.parseInt(node, 10) >= neededMajor) return ok(node)
  return wrong(node, `Install Node ${neededMajor} or later from https://nodejs.org.`)
}

/** The ports of this machine are free, or our processes listen there. */
export async function examinePorts(installation: Installation): Promise<Finding> {
  const strangers: string[] = []
  for (const { setting, port } of portsOf(installation.environment)) {
    if (port === 0 || (await isFree(ip, port)) || (await isOurs(setting, port, installation))) continue
    strangers.push(`${setting} ${port}`)
  }
  if (strangers.length === 0) return ok('free, or in use by our processes')
  return wrong(
    `in use by other programs: ${strangers.join(', ')}`,
    'Stop those programs, or set the variables to other ports.',
  )
}

function portsOf(environment: NodeJS.ProcessEnv): { readonly setting: string; readonly port: number }[] {
  const ports = readPorts(environment, 'default')
  const { LOCKERFLOW_FLOW_API_PORT } = gatewayVariables
  const { LOCKERFLOW_FLOW_API_PORT: flowApi } = readVariables(environment, { LOCKERFLOW_FLOW_API_PORT })
  const parts = Object.keys(portSettings) as (keyof typeof portSettings)[]
  return [
    ...parts
      .map(part => ({ setting: portSettings[part], port: ports[part] }))
      .filter(({ setting }) => !optional.includes(setting) || environment[setting]),
    ...(flowApi === undefined ? [] : [{ setting: 'LOCKERFLOW_FLOW_API_PORT', port: flowApi }]),
  ]
}

async function isOurs(setting: string, port: number, { connection, target }: Installation): Promise<boolean> {
  if (setting === portSettings.temporal)
    return connection !== undefined && target.temporal.address?.endsWith(`:${port}`) === true
  const { path, field } = knownAnswers[setting] ?? live
  const response = await fetch(`http://${ip}:${port}${path}`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
  const body: unknown = await response?.json().catch(() => null)
  return typeof body === 'object' && body !== null && field in body
}
