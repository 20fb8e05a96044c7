import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { isFree } from '../../cli/ports.ts'
import { root } from '../compose/resolved.ts'
import { type ClusterOptions, type Container, graceOf, logOf } from './cluster.ts'
import { processPart, succeeds } from './part.ts'
import type { TemporalBuild } from './temporalBuild.ts'

const run = promisify(execFile)

/** Ports that only containers can have twice. */
const ports = ['FRONTEND', 'HISTORY', 'MATCHING', 'WORKER'].flatMap(part => [
  `${part}_GRPC_PORT`,
  `${part}_MEMBERSHIP_PORT`,
])

/** Runs docker/temporal-schema.sh with Temporal's own tool; twice, as every start of the cluster does. */
export async function setUpSchema({ environment }: Container, { tools, schema }: TemporalBuild): Promise<void> {
  const path = [tools, process.env.PATH].join(delimiter)
  const env = { ...environment, PATH: path, TEMPORAL_SCHEMA: schema }
  for (const _ of ['the first time', 'again']) await run('sh', [join(root, 'docker', 'temporal-schema.sh')], { env })
}

/** Temporal's own server, its configuration rendered from the template of its image. */
export async function temporalServer(container: Container, { temporal, command, folder }: ClusterOptions) {
  const { name, service, environment: given } = container
  const names = [...ports, 'FRONTEND_HTTP_PORT']
  const chosen = await lowPorts(names.length)
  const environment: Record<string, string> = {
    ...given,
    ...Object.fromEntries(names.map((port, index) => [port, String(chosen[index])])),
    DYNAMIC_CONFIG_FILE_PATH: temporal.dynamicConfig,
  }
  const home = join(folder, name)
  await mkdir(join(home, 'config'), { recursive: true })
  const { stdout } = await run(temporal.renderTemplate, [temporal.configTemplate], { env: environment })
  await writeFile(join(home, 'config', 'docker.yaml'), stdout, { mode: 0o600 })

  const address = `127.0.0.1:${environment.FRONTEND_GRPC_PORT}`
  // The first word of the container's check is CMD, the second the command that we have under another path.
  const check = (service.healthcheck?.test ?? []).slice(2).map(word => (word === 'temporal:7233' ? address : word))
  const part = processPart({
    name,
    command: [temporal.server, '--root', home, '--env', 'docker', 'start'],
    folder: home,
    environment,
    logFile: logOf(folder, name),
    check: () => succeeds(command, check, home),
    grace: graceOf(service),
  })
  return { part, address }
}

/** Free ports that Temporal can write down: its table of members has 15 bits for one, and the system hands out others. */
async function lowPorts(count: number): Promise<number[]> {
  const chosen: number[] = []
  while (chosen.length < count) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    if (!chosen.includes(port) && (await isFree('0.0.0.0', port))) chosen.push(port)
  }
  return chosen
}
