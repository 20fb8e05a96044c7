import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { Client, Connection } from '@temporalio/client'
import { pino } from 'pino'
import { test as base, inject } from 'vitest'
import { type Callback, defaultWeakScheme, webhookHeaders, webhookSignature } from '#contract'
import { fullProfile, workflowIdOf } from '#contract/terms'
import { type Gateway, type GatewaySettings, startGateway } from '#gateway'
import { type FarSide, json, startFarSide, success } from '../api/farSide.ts'

export const keys = { current: 'current-key-of-the-tests', previous: 'previous-key-of-the-tests' }
export const privateText = 'blue bicycle of somebody'

/** A flow that nobody works on: what it was told is in its history. */
export interface Flow {
  readonly caseNo: string
  signals(): Promise<unknown[]>
}

interface Fixtures {
  temporal: Client
  service: FarSide
  /** The lines of the gateway's log. */
  lines: string[]
  open: (settings?: Partial<GatewaySettings>) => Promise<Gateway>
  gateway: Gateway
  flow: Flow
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that one needs from this pattern.
  temporal: async ({}, use) => {
    const { address, namespace } = inject('temporal')
    const connection = await Connection.connect({ address })
    await use(new Client({ connection, namespace }))
    await connection.close()
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  service: async ({}, use) => {
    const service = await startFarSide()
    service.operation = json(200, { ...success, authKey: null, changed: true })
    await use(service)
    await service.stop()
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  lines: async ({}, use) => use([]),
  open: async ({ service, lines }, use) => {
    const opened: Gateway[] = []
    const stream = new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk))
        done()
      },
    })
    const { address, namespace } = inject('temporal')
    await use(async settings => {
      const gateway = await startGateway({
        host: '127.0.0.1',
        port: 0,
        keys,
        weakScheme: defaultWeakScheme,
        profile: fullProfile,
        api: { baseUrl: service.url, authUrl: service.url, clientId: 'acme', clientSecret: 'acme-secret' },
        temporal: { address },
        namespace,
        log: pino({}, stream),
        ...settings,
      })
      opened.push(gateway)
      return gateway
    })
    await Promise.all(opened.map(gateway => gateway.stop()))
  },
  gateway: async ({ open }, use) => {
    const gateway = await open()
    await gateway.ready
    await use(gateway)
  },
  flow: async ({ temporal }, use) => {
    const caseNo = randomUUID()
    const workflowId = workflowIdOf(caseNo)
    const handle = await temporal.workflow.start('recorder', { workflowId, taskQueue: 'nobody' })
    await use({
      caseNo,
      async signals() {
        const { events } = await handle.fetchHistory()
        return (events ?? [])
          .flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => signal ?? [])
          .map(({ input }) => JSON.parse(new TextDecoder().decode(input?.payloads?.[0]?.data ?? new Uint8Array())))
      },
    })
    await handle.terminate()
  },
})

/** The body of a callback as the service sends it. */
export function bodyOf(referenceCaseNo: string | null, message: Partial<Callback['message']> = {}): string {
  const callback: Callback = {
    messageType: 'ShipmentStatusUpdate',
    message: {
      shipmentUid: 'S1',
      stateCode: 'ReadyForPickup',
      stateStart: '2026-01-02T03:04:05',
      shipmentType: 'LocalPupShipment',
      referenceNo: 'R1',
      referenceCaseNo,
      description: privateText,
      pupUid: 'pup-1',
      fromUserUid: 'U1',
      toUserUid: 'U2',
      ...message,
    },
  }
  return JSON.stringify(callback)
}

/** The headers of a genuine callback; `at` in seconds since 1970. */
export function signed(
  body: string,
  { by = [keys.current], at = Math.floor(Date.now() / 1_000), id = 'msg-1' } = {},
): Record<string, string> {
  return {
    [webhookHeaders.id]: id,
    [webhookHeaders.timestamp]: String(at),
    [webhookHeaders.signature]: webhookSignature(by, id, at, body),
  }
}

/** Posts a callback as the service does. */
export function post({ address }: Gateway, body: string, headers = signed(body)): Promise<Response> {
  return fetch(`${address}/callbacks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
}

export async function isReady({ address }: Gateway): Promise<boolean> {
  return (await fetch(`${address}/health/ready`)).status === 200
}
