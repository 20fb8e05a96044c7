import { webhookHeaders, webhookSignature } from '#contract'
import { startProcess, toVariables } from '../../../testing/stack/process.ts'
import { childEnvironment } from '../../support/childEnvironment.ts'
import { startOwnTemporal } from '../../support/servers/ownTemporal.ts'
import { startTarget } from '../startTargets.ts'
import { writeFiles } from './serviceSite.ts'
import type { Site } from './site.ts'

const key = 'a-key-of-the-attacked-gateway'

/** Starts a gateway, whose measured caller sends callbacks with signatures of the service, each for another case. */
export async function startGatewaySite(): Promise<Site> {
  const parts: (() => Promise<unknown>)[] = []
  async function stop(): Promise<void> {
    for (let next = parts.pop(); next !== undefined; next = parts.pop()) await next()
  }
  try {
    const own = await startOwnTemporal()
    parts.push(own.stop)
    const target = await startTarget('staging', undefined, { LOCKERFLOW_LOG_LEVEL: 'error' })
    parts.push(target.stop)
    const { baseUrl, authUrl, victim } = target
    const env = {
      ...childEnvironment,
      ...toVariables({ baseUrl, authUrl, ...victim }, own.temporal),
      LOCKERFLOW_HOST: '127.0.0.1',
      LOCKERFLOW_GATEWAY_PORT: '0',
      LOCKERFLOW_CALLBACK_KEY: key,
    }
    const gateway = await startProcess('gateway', { env })
    parts.push(gateway.stop)
    const callbacks = `${gateway.address}/callbacks`
    let sent = 0
    return {
      target: { ...target, callbacks },
      pid: gateway.pid,
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
