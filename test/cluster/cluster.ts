import { dirname, join } from 'node:path'
import { freePort } from '../../platform/ports.ts'
import type { Image } from '../support/compose/image.ts'
import type { ComposeService, Resolved } from '../support/compose/resolved.ts'
import type { PostgresServer } from '../support/setup/postgresServer.ts'
import { type Addresses, toLocalCheck, toLocalEnvironment } from './addresses.ts'
import type { Part } from './part.ts'
import { startDatabase } from './postgres.ts'
import { prepareTemporal, replicaPart } from './processes.ts'
import { type RoundRobin, roundRobin } from './roundRobin.ts'
import { setUpSchema, temporalServer } from './temporal.ts'
import type { TemporalBuild } from './temporalBuild.ts'

export interface ClusterOptions {
  readonly resolved: Resolved
  readonly image: Image
  readonly temporal: TemporalBuild
  /** Folder for logs and data. */
  readonly folder: string
  readonly progress: (line: string) => void
}

/** The services of docker-compose.yml as processes of this machine. */
export interface Cluster {
  /** Processes that can be killed and restarted, by container name without number, in start order. */
  readonly parts: ReadonlyMap<string, readonly Part[]>
  readonly database: PostgresServer
  readonly places: Addresses
  /** Stops everything in reverse start order. Returns the errors of processes that did not stop cleanly. */
  stop(): Promise<string[]>
}

/** A container of docker-compose.yml, with its environment for this machine. */
export interface Container {
  readonly name: string
  readonly service: ComposeService
  readonly environment: Record<string, string>
}

/** Starts everything in the order of `depends_on`. Waits until each process is healthy. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { resolved, progress } = options
  const places: Addresses = new Map()
  const parts = new Map<string, Part[]>()
  const balancers: RoundRobin[] = []
  let database: PostgresServer | undefined

  async function stop(): Promise<string[]> {
    const faults: string[] = []
    for (const part of [...parts.values()].flat().reverse()) {
      await part.stop().catch(error => faults.push(error instanceof Error ? error.message : String(error)))
    }
    for (const balancer of balancers) balancer.close()
    await database?.remove()
    return faults
  }

  /** Chooses ports for the replicas of one of our services, and registers their address. */
  async function placesOf(name: string, { deploy, ports }: ComposeService): Promise<number[]> {
    const chosen = await Promise.all(Array.from({ length: deploy?.replicas ?? 1 }, () => freePort('127.0.0.1')))
    const inside = ports?.[0]?.target
    if (inside === undefined) return chosen
    if (chosen.length > 1) balancers.push(await roundRobin(chosen))
    const address = chosen.length > 1 ? balancers.at(-1)?.address : `127.0.0.1:${chosen[0]}`
    places.set(`${name}:${inside}`, address ?? '')
    return chosen
  }

  async function start(name: string, service: ComposeService): Promise<void> {
    // No test uses the Web UI.
    if (name === 'temporal-ui') return
    progress(`starting ${name}`)
    const ports = service.build === undefined ? [] : await placesOf(name, service)
    const container = { name, service, environment: toLocalEnvironment(service, resolved, places) }
    switch (name) {
      case 'postgres': {
        const started = await startDatabase(container, dirname(resolved.secrets['database-url']?.file ?? ''))
        database = started.server
        places.set('postgres:5432', started.address)
        parts.set(name, [started.part])
        return
      }
      case 'temporal-schema':
        return setUpSchema(container, options.temporal)
      case 'temporal': {
        const { part, address } = await temporalServer(container, options)
        places.set('temporal:7233', address)
        parts.set(name, [part])
        return part.start()
      }
      case 'preparation':
        return prepareTemporal(container, options)
      default: {
        const made = ports.map((port, index) =>
          replicaPart(container, index + 1, { port, check: toLocalCheck(service, places) }, options),
        )
        parts.set(name, made)
        // Concurrently, as compose does.
        await Promise.all(made.map(part => part.start()))
      }
    }
  }

  try {
    for (const name of inOrder(resolved)) await start(name, resolved.services[name] as ComposeService)
    if (database === undefined) throw new Error('docker-compose.yml has no postgres')
    return { parts, database, places, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The names of the containers that start without a profile, in topological order of `depends_on`. */
function inOrder({ services }: Resolved): string[] {
  const order: string[] = []
  function add(name: string): void {
    if (order.includes(name)) return
    for (const other of Object.keys(services[name]?.depends_on ?? {}).sort()) add(other)
    order.push(name)
  }
  for (const [name, { profiles }] of Object.entries(services).sort()) if (profiles === undefined) add(name)
  return order
}

/** The log of a container in the cluster's folder. */
export function logOf(folder: string, name: string): string {
  return join(folder, `${name}.log`)
}

/** Milliseconds of a duration as compose writes it resolved: `1m0s`, `15s`. */
export function graceOf({ stop_grace_period: text = '10s' }: ComposeService): number {
  const [, minutes = '0', seconds = '0'] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(text) ?? []
  return (Number(minutes) * 60 + Number(seconds)) * 1_000
}
