import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { webhookHeaders, webhookSignature } from '#contract'
import { searchAttributes } from '#flows'
import { startTemporalServer } from '../../../cli/temporal/index.ts'
import { startGatewayChild } from '../../support/world/gatewayChild.ts'
import { startTarget } from '../startTargets.ts'
import { writeFiles } from './serviceSite.ts'
import type { Site } from './site.ts'

const key = 'a-key-of-the-attacked-gateway'
const namespace = 'default'

/** Starts a gateway, whose measured caller sends callbacks with signatures of the service, each for another case. */
export async function startGatewaySite(): Promise<Site> {
  const parts: (() => Promise<unknown>)[] = []
  async function stop(): Promise<void> {
    for (let next = parts.pop(); next !== undefined; next = parts.pop()) await next()
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'lockerflow-attack-'))
    parts.push(() => rm(folder, { recursive: true, force: true }))
    const temporal = await startTemporalServer({
      databaseFile: join(folder, 'temporal.db'),
      logFile: join(folder, 'temporal.log'),
      ip: '127.0.0.1',
      namespace,
      searchAttributes,
      headless: true,
      progress: line => console.error(line),
    })
    parts.push(temporal.stop)
    const target = await startTarget('staging', undefined, { LOCKERFLOW_LOG_LEVEL: 'error' })
    parts.push(target.stop)
    const { baseUrl, authUrl, victim } = target
    const settings = { baseUrl, authUrl, ...victim, temporal: { address: temporal.address, namespace }, key }
    const gateway = await startGatewayChild(settings)
    parts.push(gateway.stop)
    const callbacks = `${gateway.address}/callbacks`
    let sent = 0
    return {
      target: { ...target, callbacks },
      pid: gateway.child.pid ?? 0,
      call: () => sendCallback(callbacks, sent++),
      settle: writeFiles,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function sendCallback(address: string, count: number): Promise<void> {
  const message = {
    shipmentUid: `S${count}`,
    stateCode: 'ReadyForPickup',
    stateStart: '2026-01-02T03:04:05',
    shipmentType: 'LocalPupShipment',
    referenceCaseNo: `case-${count}`,
  }
  const body = JSON.stringify({ messageType: 'ShipmentStatusUpdate', message })
  const [id, at] = [`message-${count}`, Math.floor(Date.now() / 1_000)]
  const headers = {
    'content-type': 'application/json',
    [webhookHeaders.id]: id,
    [webhookHeaders.timestamp]: String(at),
    [webhookHeaders.signature]: webhookSignature([key], id, at, body),
  }
  const { ok, status } = await fetch(address, { method: 'POST', headers, body })
  if (!ok) throw new Error(`a callback got ${status}`)
}
