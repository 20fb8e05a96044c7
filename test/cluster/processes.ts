import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type ClusterOptions, type Container, graceOf, logOf } from './cluster.ts'
import { type Part, processPart, succeeds } from './part.ts'

interface Place {
  readonly port: number
  /** The health check, with addresses of this machine. */
  readonly check: readonly string[]
}

/** A replica of one of our processes, run from the image of the Dockerfile. A process without a port listens nowhere. */
export function replicaPart(
  { name, service, environment: given }: Container,
  number: number,
  { port, check }: Place,
  { image, folder }: ClusterOptions,
): Part {
  const variable = `LOCKERFLOW_${name.toUpperCase()}_PORT`
  const inside = given[variable]
  if (inside === undefined && service.ports !== undefined)
    throw new Error(`docker-compose.yml gives ${name} no ${variable}`)
  const environment = { ...image.environment, ...given, ...(inside !== undefined && { [variable]: String(port) }) }
  const [, , ...words] = check
  const local = words.map(word => (inside === undefined ? word : word.replace(`:${inside}/`, `:${port}/`)))
  const label = `${name} ${number}`
  return processPart({
    name: label,
    command: [process.execPath, ...(service.command ?? []).slice(1)],
    folder: image.folder,
    environment,
    logFile: logOf(folder, label),
    check: () => succeeds(process.execPath, local, image.folder),
    grace: graceOf(service),
  })
}

/** Runs the preparation twice, because every start of the cluster repeats it. */
export async function prepareTemporal({ service, environment }: Container, { image }: ClusterOptions): Promise<void> {
  const [, ...args] = service.command ?? []
  const env = { PATH: process.env.PATH, ...image.environment, ...environment }
  for (const _ of ['the first time', 'again']) {
    await promisify(execFile)(process.execPath, args, { cwd: image.folder, env })
  }
}
