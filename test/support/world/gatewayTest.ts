import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { Client, Connection } from '@temporalio/client'
import { pino } from 'pino'
import { test as base, expect, inject } from 'vitest'
import { type Callback, webhookHeaders, webhookSignature } from '#contract'
import { toWorkflowId } from '#flows'
import { type Gateway, type GatewaySettings, startGateway } from '#gateway'
import { json, type StandIn, startStandIn, success } from '../servers/apiStandIn.ts'
import { apiSettings, gatewaySettings } from './settings.ts'

export const keys = { current: 'current-key-of-the-tests', previous: 'previous-key-of-the-tests' }
export const privateText = 'the blue bicycle of Robin Reader'

/** A flow without a worker: its signals can be read from its history. */
export interface Flow {
  readonly caseNo: string
  signals(): Promise<unknown[]>
}

interface Fixtures {
  temporal: Client
  service: StandIn
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
    const service = await startStandIn()
    // The gateway calls ConfigureCallback and GetShipments.
    const noShipments = { items: [], pageNo: 1, pageSize: 10, totalItems: 0, totalPages: 0 }
    service.operation = json(200, { ...success, authKey: null, changed: true, ...noShipments })
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
    await use(async settings => {
      const gateway = await startGateway({
        ...gatewaySettings(inject('temporal'), apiSettings(service.url), keys),
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
    const workflowId = toWorkflowId(caseNo)
    const handle = await temporal.workflow.start('recorder', { workflowId, taskQueue: 'without-worker' })
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

/** The body of a callback of the service. */
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

/** Posts a callback like the service. */
export function post({ address }: Pick<Gateway, 'address'>, body: string, headers = signed(body)): Promise<Response> {
  return fetch(`${address}/callbacks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
}

/**
 * Posts callbacks of one flow, ten at a time: Temporal signals a flow one after the other, and each signal has five seconds.
 * Returns the statuses.
 */
export async function postAll(
  gateway: Pick<Gateway, 'address'>,
  bodies: readonly string[],
  headersOf: (body: string) => Record<string, string> = body => signed(body),
): Promise<number[]> {
  const statuses: number[] = []
  for (let at = 0; at < bodies.length; at += 10) {
    const slice = bodies.slice(at, at + 10)
    const responses = await Promise.all(slice.map(body => post(gateway, body, headersOf(body))))
    statuses.push(...responses.map(({ status }) => status))
  }
  return statuses
}

/** The names of what a gateway lacks, by its health check. */
export async function missingOf({ address }: Gateway): Promise<string[]> {
  const response = await fetch(`${address}/health/ready`)
  const { ready, missing } = (await response.json()) as { ready: boolean; missing: { name: string; reason: string }[] }
  const isReady = missing.length === 0
  expect({ ready, status: response.status }).toEqual({ ready: isReady, status: isReady ? 200 : 503 })
  for (const { reason } of missing) expect(reason).not.toBe('')
  return missing.map(({ name }) => name)
}
