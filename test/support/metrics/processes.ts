import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { accessScope, type TokenResponse, tokenPath } from '#contract'
import { prebuildFlows } from '#worker'
import { freePort } from '../../../platform/ports.ts'
import { createStarter } from '../../../testing/stack/index.ts'
import { startProcess } from '../../../testing/stack/process.ts'
import { childEnvironment, serviceWithoutLimits } from '../childEnvironment.ts'
import { newKey } from '../codec/keys.ts'
import { noticeKey } from '../flows/notifications.ts'
import type { World } from '../world/flowWorld.ts'
import { apiSettings, topology } from '../world/settings.ts'
import { openJourneyWorld } from './journeyWorld.ts'

const ip = '127.0.0.1'

export type ProcessName = 'service' | 'gateway' | 'worker'

/** A flow of a team of its own, with a step that is reached by each kind of event, and one whose window passes. */
const ownFlow = `
name: deskReturn
summary: A desk takes a device back.
input: { device: text }
steps:
  - name: label
    summary: The label is printed.
    run: printLabel
    with: { device: { from: input.device } }
    keep: { labelNo: text }
    undo: nothing
    timeout: 30s
  - name: check
    summary: The desk checks the device.
    ask: { accept: {} }
    who: staff
    window: 7d
    onTimeout: cancel
  - name: pause
    summary: The device cools down.
    sleep: 1s
  - name: rating
    summary: The customer says how it went.
    ask: { rate: { stars: integer } }
    who: customer
    window: 1s
    onTimeout: { goTo: end }
`
const ownActivities = 'export const printLabel = async ({ device }) => ({ labelNo: device })'

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
  readonly flowApiAddress: string
  /** An access token of the service. */
  token(): Promise<string>
  scrape(name: ProcessName): Promise<string>
  ready(name: ProcessName): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>
  stop(): Promise<void>
}

export interface ProcessOptions {
  /** Variables of each process that export its traces. */
  readonly traces: Readonly<Record<string, string>>
  /** Receives the notifications of the flows. */
  readonly notificationsUrl: string
}

/** With metrics and traces, lines of all levels, notifications, and encrypted histories. */
export async function startProcesses({ traces, notificationsUrl }: ProcessOptions): Promise<Processes> {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
  const starter = createStarter()
  starter.add(() => rm(folder, { recursive: true, force: true }))
  const written: string[] = []
  const ports = Object.fromEntries(
    await Promise.all(
      ['service', 'gateway', 'worker', 'flowApi', 's', 'g', 'w'].map(async name => [name, await freePort(ip)]),
    ),
  ) as Record<ProcessName | 'flowApi' | 's' | 'g' | 'w', number>
  const metricsPorts = { service: ports.s, gateway: ports.g, worker: ports.w }
  const { address, namespace } = inject('temporal')
  const taskQueue = `metrics-${randomUUID()}`
  const baseUrl = `http://${ip}:${ports.service}`
  const key = `private-key-${randomUUID()}`
  const codecKey = newKey('metrics')
  await writeFile(join(folder, 'topology.json'), JSON.stringify(topology))
  await writeFile(join(folder, 'desk.yaml'), ownFlow)
  await writeFile(join(folder, 'activities.mjs'), ownActivities)
  await prebuildFlows(join(folder, 'workflows.js'))

  async function start(name: ProcessName, settings: Record<string, string>): Promise<void> {
    const env = {
      ...childEnvironment,
      LOCKERFLOW_LOG_LEVEL: 'debug',
      LOCKERFLOW_METRICS_PORT: String(metricsPorts[name]),
      LOCKERFLOW_TASK_QUEUE: taskQueue,
      ...traces,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      ...settings,
    }
    const part = await startProcess(name, { env, lines: line => written.push(`${line}\n`) })
    starter.add(() => part.stop())
  }

  try {
    await start('service', {
      ...serviceWithoutLimits,
      LOCKERFLOW_SERVICE_PORT: String(ports.service),
      LOCKERFLOW_TOPOLOGY: join(folder, 'topology.json'),
      LOCKERFLOW_DATABASE_URL: `file:${join(folder, 'service.db')}`,
    })
    const driven = {
      LOCKERFLOW_BASE_URL: baseUrl,
      LOCKERFLOW_AUTH_URL: baseUrl,
      LOCKERFLOW_CODEC_KEYS: codecKey,
    }
    await start('gateway', {
      ...driven,
      LOCKERFLOW_GATEWAY_PORT: String(ports.gateway),
      LOCKERFLOW_CALLBACK_KEY: key,
      LOCKERFLOW_FLOW_API_PORT: String(ports.flowApi),
    })
    await start('worker', {
      ...driven,
      LOCKERFLOW_WORKER_PORT: String(ports.worker),
      LOCKERFLOW_WORKFLOW_BUNDLE: join(folder, 'workflows.js'),
      LOCKERFLOW_FLOWS: join(folder, 'desk.yaml'),
      LOCKERFLOW_ACTIVITIES: join(folder, 'activities.mjs'),
      LOCKERFLOW_NOTIFICATIONS_URL: notificationsUrl,
      LOCKERFLOW_NOTIFICATIONS_KEY: noticeKey,
    })
  } catch (error) {
    await starter.stop()
    throw error
  }

  const credentials = apiSettings(baseUrl)
  const opening = openJourneyWorld({ baseUrl, taskQueue, codecKey })
  const { world, codes, close } = await opening.catch(async error => {
    await starter.stop()
    throw error
  })
  return {
    world,
    written,
    secrets: [key, credentials.clientSecret, noticeKey, codecKey.split(':')[1] ?? ''],
    codes,
    flowApiAddress: `http://${ip}:${ports.flowApi}`,
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
      await close()
      await starter.stop()
    },
  }
}
