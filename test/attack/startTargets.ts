import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listDoors, type Topology } from '#service'
import { freePort } from '../../platform/ports.ts'
import { type ProcessPart, startProcess } from '../../testing/stack/process.ts'
import { childEnvironment, serviceWithoutLimits } from '../support/childEnvironment.ts'
import { startSimulator } from '../support/hardware/simulator/simulator.ts'
import type { Target } from './dispatcher.ts'

export interface StartedTarget extends Target {
  readonly pid: number
  stop(): Promise<void>
}

/**
 * Starts a service process with two tenants that share one pick up point and have one each.
 * @param databaseUrl the embedded store in a folder of its own by default
 * @param variables further variables of the process
 * @param command runs the program in its arguments, with its own process id
 */
export async function startTarget(
  mode: Target['mode'],
  databaseUrl?: string,
  variables: Readonly<Record<string, string>> = {},
  command: readonly string[] = [],
): Promise<StartedTarget> {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-attack-'))
  const attacker = { clientId: 'attacker', clientSecret: randomBytes(24).toString('base64url') }
  const victim = { clientId: 'victim', clientSecret: randomBytes(24).toString('base64url') }
  const topology = join(folder, 'topology.json')
  const content = topologyOf([attacker, victim])
  await writeFile(topology, JSON.stringify(content))
  const port = await freePort('127.0.0.1')
  const hardwareKey = randomBytes(24).toString('base64url')
  const simulator = await startSimulator({
    host: '127.0.0.1',
    port: 0,
    keys: [hardwareKey],
    eventsUrl: () => `http://127.0.0.1:${port}/hardware/events`,
    closeAfter: 0,
    doors: listDoors(content),
  })
  const env = {
    ...childEnvironment,
    ...serviceWithoutLimits,
    LOCKERFLOW_ENVIRONMENT: mode,
    LOCKERFLOW_DATABASE_URL: databaseUrl ?? `file:${join(folder, 'service.db')}`,
    LOCKERFLOW_SERVICE_PORT: String(port),
    LOCKERFLOW_HOST: '127.0.0.1',
    LOCKERFLOW_TOPOLOGY: topology,
    // The checks send more requests per second than a tenant may.
    LOCKERFLOW_RATE_LIMIT: '0',
    LOCKERFLOW_HARDWARE_URL: simulator.address,
    LOCKERFLOW_HARDWARE_KEY: hardwareKey,
    ...(mode === 'production' && {
      LOCKERFLOW_PUBLIC_URL: 'https://lockers.example',
      LOCKERFLOW_STORE_KEYS: `attack:${randomBytes(32).toString('base64')}`,
      // The server of the tests has no certificate.
      LOCKERFLOW_DATABASE_TLS: 'optional',
    }),
    ...variables,
  }
  let service: ProcessPart | undefined
  const stop = async () => {
    await service?.stop()
    await simulator.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    service = await startProcess('service', { env, command, lines: 'inherit' })
    const origin = `http://127.0.0.1:${port}`
    return { mode, baseUrl: origin, authUrl: origin, attacker, victim, hardwareKey, pid: service.pid, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Two tenants named after their clients, each with a pick up point of its own beside the common one. */
function topologyOf(clients: readonly Target['attacker'][]): Topology {
  const names = clients.map(({ clientId }) => clientId)
  const point = (pupUid: string, tenants: string[]) => ({
    pupUid,
    name: pupUid,
    timeZone: 'Europe/Amsterdam',
    tenants,
    lockers: [{ names: '1-500', width: 40, height: 40, length: 60 }],
  })
  return {
    tenants: clients.map(client => ({
      name: client.clientId,
      dispatcher: {
        userName: client.clientId,
        emailAddress: `dispatch@${client.clientId}.example`,
        firstName: 'Main',
        lastName: 'Dispatch',
      },
      clients: [client],
    })),
    pickUpPoints: [...names.map(name => point(`a-${name}`, [name])), point('shared', names)],
  }
}
