import { isFree } from '../ports.ts'
import { portSettings, readPorts } from '../settings.ts'
import { type Finding, type Installation, ok, wrong } from './examination.ts'

const neededMajor = 24
const ip = '127.0.0.1'

/** The parts of `lockerflow dev` whose ports answer over HTTP. */
const httpParts = { service: '/health/live', gateway: '/health/live' } as const

/** The version of Node. */
export async function examineNode(): Promise<Finding> {
  const { node } = process.versions
  if (Number(node.split('.')[0]) === neededMajor) return ok(node)
  return wrong(node, `Install Node ${neededMajor} from https://nodejs.org.`)
}

/** The ports of this machine are free, or our processes listen there. */
export async function examinePorts({ environment, connection, target }: Installation): Promise<Finding> {
  const ports = readPorts(environment, 'default')
  const strangers: string[] = []
  for (const part of ['service', 'gateway', 'temporal'] as const) {
    const port = ports[part]
    if (port === 0 || (await isFree(ip, port))) continue
    const isOwn =
      part === 'temporal'
        ? connection !== undefined && target.temporal.address?.endsWith(`:${port}`) === true
        : await answers(`http://${ip}:${port}${httpParts[part]}`)
    if (!isOwn) strangers.push(`${portSettings[part]} ${port}`)
  }
  if (strangers.length === 0) return ok('free, or in use by our processes')
  return wrong(
    `in use by other programs: ${strangers.join(', ')}`,
    'Stop those programs, or set the variables to other ports.',
  )
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
  const body: unknown = await response?.json().catch(() => undefined)
  return typeof body === 'object' && body !== null && ('success' in body || 'live' in body)
}
