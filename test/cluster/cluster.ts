import { join } from 'node:path'
import { freePort } from '../../cli/ports.ts'
import type { Image } from '../compose/image.ts'
import type { ComposeService, Resolved } from '../compose/resolved.ts'
import type { PostgresServer } from '../setup/postgresServer.ts'
import { environmentHere, type Places } from './addresses.ts'
import { ourProcess, prepareTemporal } from './ours.ts'
import type { Part } from './part.ts'
import { startDatabase } from './postgres.ts'
import { type RoundRobin, roundRobin } from './roundRobin.ts'
import { setUpSchema, temporalServer } from './temporal.ts'
import type { TemporalBuild } from './temporalBuild.ts'

export interface ClusterOptions {
  readonly resolved: Resolved
  readonly image: Image
  readonly temporal: TemporalBuild
  /** The `temporal` command. */
  readonly command: string
  /** For logs and data. */
  readonly folder: string
  readonly progress: (line: string) => void
}

/** What docker-compose.yml describes, as processes of this machine. */
export interface Cluster {
  /** Those that die and come back, by the name of their container without its number, in the order of their start. */
  readonly parts: ReadonlyMap<string, readonly Part[]>
  readonly database: PostgresServer
  readonly places: Places
  /** Stops everything, the last that was started first; answers what did not stop cleanly. */
  stop(): Promise<string[]>
}

/** What a container is made from. */
export interface Container {
  readonly name: string
  readonly service: ComposeService
  readonly environment: Record<string, string>
}

/** Starts everything in the order that `depends_on` asks for, and waits for each to be healthy. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { resolved, progress } = options
  const places: Places = new Map()
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

  /** Ports for the replicas of one of ours, and where the others find them. */
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
    // Nothing depends on the Web UI.
    if (name === 'temporal-ui') return
    progress(`starting ${name}`)
    const ports = service.build === undefined ? [] : await placesOf(name, service)
    const container = { name, service, environment: environmentHere(service, resolved, places) }
    switch (name) {
      case 'postgres': {
        const started = await startDatabase(container)
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
        const made = ports.map((port, index) => ourProcess(container, index + 1, port, options))
        parts.set(name, made)
        // At the same time, as compose does it.
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

/** The names of the containers, each after those that it depends on. */
function inOrder({ services }: Resolved): string[] {
  const order: string[] = []
  function add(name: string): void {
    if (order.includes(name)) return
    for (const other of Object.keys(services[name]?.depends_on ?? {}).sort()) add(other)
    order.push(name)
  }
  for (const name of Object.keys(services).sort()) add(name)
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
