import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { inject } from 'vitest'
import { createApi } from '#api'
import { createFlowClient } from '#client'
import { accessScope, type TokenResponse, tokenPath } from '#contract'
import type { FlowShipment } from '#flows'
import { prebuildFlows } from '#worker'
import { freePort } from '../../../cli/ports.ts'
import { root } from '../../project/sources.ts'
import { childEnvironment } from '../childEnvironment.ts'
import { eventually } from '../eventually.ts'
import { statusWhenOf, type World } from '../world/flowWorld.ts'
import { apiSettings, topology } from '../world/settings.ts'

const ip = '127.0.0.1'

export type ProcessName = 'service' | 'gateway' | 'worker'

/** The user of the world, whose fields must not appear anywhere. */
export const person = {
  emailAddress: 'adaline@private.example',
  firstName: 'Adaline',
  lastName: 'Lovelock',
  phoneNumber: '+31600000001',
}

/** Service, gateway and worker as processes with metrics, on the shared Temporal server. */
export interface Processes {
  /** The part of a world that journeys use. */
  readonly world: World
  /** Everything that the processes have written. */
  readonly written: string[]
  /** Keys and secrets of the processes. */
  readonly secrets: readonly string[]
  /** Access codes that were used. */
  readonly codes: Set<string>
  /** Address at which callers start flows. */
  readonly doorAddress: string
  /** An access token of the service. */
  token(): Promise<string>
  scrape(name: ProcessName): Promise<string>
  ready(name: ProcessName): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>
  stop(): Promise<void>
}

export async function startProcesses(): Promise<Processes> {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
  const children: ChildProcess[] = []
  const written: string[] = []
  const ports = Object.fromEntries(
    await Promise.all(
      ['service', 'gateway', 'worker', 'door', 's', 'g', 'w'].map(async name => [name, await freePort(ip)]),
    ),
  ) as Record<ProcessName | 'door' | 's' | 'g' | 'w', number>
  const metricsPorts = { service: ports.s, gateway: ports.g, worker: ports.w }
  const { address, namespace } = inject('temporal')
  const taskQueue = `metrics-${randomUUID()}`
  const baseUrl = `http://${ip}:${ports.service}`
  const key = `private-key-${randomUUID()}`
  await writeFile(join(folder, 'topology.json'), JSON.stringify(topology))
  await prebuildFlows(join(folder, 'workflows.js'))

  async function start(name: ProcessName, file: string, settings: Record<string, string>): Promise<void> {
    const child = spawn(process.execPath, [join(root, file)], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...childEnvironment,
        LOCKERFLOW_LOG_LEVEL: 'debug',
        LOCKERFLOW_METRICS_PORT: String(metricsPorts[name]),
        LOCKERFLOW_TASK_QUEUE: taskQueue,
        TEMPORAL_ADDRESS: address,
        TEMPORAL_NAMESPACE: namespace,
        ...settings,
      },
    })
    children.push(child)
    child.stdout.on('data', text => written.push(String(text)))
    child.stderr.on('data', text => written.push(String(text)))
    const ended = once(child, 'exit').then(() => {
      throw new Error(`the ${name} ended:\n${written.join('')}`)
    })
    ended.catch(() => undefined)
    await Promise.race([ended, eventually(() => written.join('').includes(`${name} ready`), 60_000)])
  }

  async function stop(): Promise<void> {
    await Promise.all(
      children.map(async child => {
        if (child.exitCode !== null) return
        const exited = once(child, 'exit')
        child.kill('SIGTERM')
        await exited
      }),
    )
    await rm(folder, { recursive: true, force: true })
  }

  try {
    await start('service', 'service/main.ts', {
      LOCKERFLOW_SERVICE_PORT: String(ports.service),
      LOCKERFLOW_TOPOLOGY: 'topology.json',
      LOCKERFLOW_DATABASE_URL: 'file:service.db',
    })
    const driven = { LOCKERFLOW_BASE_URL: baseUrl, LOCKERFLOW_AUTH_URL: baseUrl }
    await start('gateway', 'gateway/main.ts', {
      ...driven,
      LOCKERFLOW_GATEWAY_PORT: String(ports.gateway),
      LOCKERFLOW_CALLBACK_KEY: key,
      LOCKERFLOW_DOOR_PORT: String(ports.door),
    })
    await start('worker', 'worker/main.ts', {
      ...driven,
      LOCKERFLOW_WORKER_PORT: String(ports.worker),
      LOCKERFLOW_WORKFLOW_BUNDLE: 'workflows.js',
    })
  } catch (error) {
    await stop()
    throw error
  }

  const credentials = apiSettings(baseUrl)
  const api = createApi(credentials)
  const connection = await Connection.connect({ address })
  const flows = createFlowClient(new Client({ connection, namespace }), { taskQueue })
  const { userUid } = await api.call('CreateAccount', { ...person, pickUpPointUid: 'pup-1' })
  const codes = new Set<string>()

  async function open({ shipmentUid, pupUid, lockerName }: FlowShipment, code: 'deliveryCode' | 'pickUpCode') {
    const given = await api.call('GetShipmentAccessCode', { shipmentUid }, { withCodes: true })
    const pinCode = given[code]
    if (pupUid === null || lockerName === null || pinCode === null) throw new Error(`${shipmentUid} has no ${code}`)
    codes.add(pinCode)
    await api.call('SimulateLockerAccess', { pupUid, lockerName, pinCode })
  }

  const world = {
    api,
    flows,
    userUid,
    open,
    async openShipment(shipmentUid: string, code: 'deliveryCode' | 'pickUpCode') {
      const { items } = await api.call('GetShipments', { shipmentUid })
      for (const item of items) await open({ ...item, role: '' }, code)
    },
    newCase: () => `M-${randomUUID()}`,
    statusWhen: statusWhenOf(flows),
  } as unknown as World

  return {
    world,
    written,
    secrets: [key, credentials.clientSecret],
    codes,
    doorAddress: `http://${ip}:${ports.door}`,
    async token() {
      const { clientId: client_id, clientSecret: client_secret } = credentials
      const form = { grant_type: 'client_credentials', client_id, client_secret, scope: accessScope }
      const response = await fetch(baseUrl + tokenPath, { method: 'POST', body: new URLSearchParams(form) })
      return ((await response.json()) as TokenResponse).access_token
    },
    async scrape(name) {
      const response = await fetch(`http://${ip}:${metricsPorts[name]}/metrics`)
      return response.text()
    },
    async ready(name) {
      const response = await fetch(`http://${ip}:${ports[name]}/health/ready`)
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    async stop() {
      await Promise.all([api.close(), connection.close()])
      await stop()
    },
  }
}
