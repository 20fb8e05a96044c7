import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { isFree } from '../../platform/ports.ts'
import { root } from '../support/compose/resolved.ts'
import { type ClusterOptions, type Container, graceOf, logOf } from './cluster.ts'
import { processPart, succeeds } from './part.ts'
import type { TemporalBuild } from './temporalBuild.ts'

const run = promisify(execFile)

/** Ports that several processes of one machine cannot share, unlike containers. */
const ports = ['FRONTEND', 'HISTORY', 'MATCHING', 'WORKER'].flatMap(part => [
  `${part}_GRPC_PORT`,
  `${part}_MEMBERSHIP_PORT`,
])

/** Runs deploy/docker/temporal-schema.sh with Temporal's tool, twice, because every start of the cluster repeats it. */
export async function setUpSchema(
  { environment }: Pick<Container, 'environment'>,
  { tools, schema }: TemporalBuild,
): Promise<void> {
  const path = [tools, process.env.PATH].join(delimiter)
  const env = { ...environment, PATH: path, TEMPORAL_SCHEMA: schema }
  for (const _ of ['the first time', 'again']) await run('sh', [join(root, 'docker', 'temporal-schema.sh')], { env })
}

/** Temporal's server, which reads its configuration from the environment as in its image. */
export async function temporalServer(
  container: Container,
  { temporal, folder }: Pick<ClusterOptions, 'temporal' | 'folder'>,
) {
  const { name, service, environment: given } = container
  const names = [...ports, 'FRONTEND_HTTP_PORT']
  const chosen = await lowPorts(names.length)
  const environment: Record<string, string> = {
    ...given,
    ...Object.fromEntries(names.map((port, index) => [port, String(chosen[index])])),
    DYNAMIC_CONFIG_FILE_PATH: join(root, 'docker', 'temporal-dynamic-config.yaml'),
  }
  const home = join(folder, name)
  await mkdir(home, { recursive: true })

  const address = `127.0.0.1:${environment.FRONTEND_GRPC_PORT}`
  // The words of the container's check begin with CMD, and the port differs here.
  const [, program = '', ...words] = service.healthcheck?.test ?? []
  const check = words.map(word => word.replace(':7243/', `:${environment.FRONTEND_HTTP_PORT}/`))
  const part = processPart({
    name,
    command: (service.entrypoint ?? []).map(word =>
      word.replaceAll('$$', '$').replace('/etc/temporal/entrypoint.sh', `'${temporal.server}' start`),
    ),
    folder: home,
    environment,
    logFile: logOf(folder, name),
    check: () => succeeds(program, check, home),
    grace: graceOf(service),
  })
  return { part, address }
}

/** Free ports below 32768: Temporal's table of cluster members stores a port in 15 bits. */
async function lowPorts(count: number): Promise<number[]> {
  const chosen: number[] = []
  while (chosen.length < count) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    if (!chosen.includes(port) && (await isFree('0.0.0.0', port))) chosen.push(port)
  }
  return chosen
}
