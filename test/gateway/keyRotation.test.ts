import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { expect, onTestFinished } from 'vitest'
import { toWorkflowId } from '#flows'
import { freePort } from '../../platform/ports.ts'
import { roundRobin } from '../cluster/roundRobin.ts'
import { eventually } from '../support/eventually.ts'
import { quick } from '../support/service/callbacks.ts'
import { temporaryStore } from '../support/service/temporaryStore.ts'
import { booking } from '../support/service/topology.ts'
import { createWorld } from '../support/world/createWorld.ts'
import { startGatewayProcess } from '../support/world/gatewayProcess.ts'
import { test } from '../support/world/gatewayTest.ts'
import type { ServiceWorld } from '../support/world/serviceWorld.ts'

const before = 'the-callback-key-before'
const after = 'the-callback-key-after'
const clients = 4
/** Milliseconds between two shipments of a client, so that the load leaves the machine to other tests. */
const pace = 100
/** The states of each shipment, in order. */
const life = ['ReadyForDropOff', 'WaitForReceiver', 'Cancelled']

type Setting = readonly [key: string, previous?: string]

/** The settings of the gateways, one after the other, as docs/how-to/replace-keys.md describes them. */
const rows: { readonly name: string; readonly gateways: number; readonly steps: readonly Setting[] }[] = [
  { name: 'one gateway', gateways: 1, steps: [[before], [after, before], [after]] },
  { name: 'two gateways', gateways: 2, steps: [[before], [before, after], [after, before], [after]] },
]

test.for(rows)(
  'the callback key of $name changes under load: no 401, and every callback is signalled',
  {
    timeout: 300_000,
  },
  async ({ gateways, steps }, { temporal }) => {
    const databaseUrl = await temporaryStore()
    const world = await createWorld({ service: { delivery: quick, databaseUrl } })
    const ports = await Promise.all(Array.from({ length: gateways }, () => freePort('127.0.0.1')))
    const balancer = await roundRobin(ports)
    const url = `http://${balancer.address}`
    const lines: string[] = []
    const running: (ChildProcess | undefined)[] = []
    const state = { stopped: false }
    const done: Shipment[] = []
    const work: Promise<void>[] = []
    onTestFinished(async () => {
      state.stopped = true
      await Promise.allSettled(work)
      for (const child of running) child?.kill('SIGKILL')
      balancer.close()
      await world.stop()
    })

    async function restart(index: number, keys: Setting): Promise<void> {
      const child = running[index]
      if (child !== undefined) {
        child.kill('SIGTERM')
        expect(await once(child, 'exit')).toEqual([0, null])
      }
      const variables = {
        LOCKERFLOW_GATEWAY_PORT: String(ports[index]),
        LOCKERFLOW_GATEWAY_URL: url,
      }
      const { child: started } = await startGatewayProcess(world.service.address, keys.join(','), {
        variables,
        onLine: line => lines.push(line),
      })
      running[index] = started
    }

    for (const [index, step] of steps.entries()) {
      for (const gateway of ports.keys()) {
        await restart(gateway, step)
        if (index === 0) continue
        const wanted = done.length + clients
        await eventually(() => done.length >= wanted, 120_000)
      }
      if (index === 0) work.push(...Array.from({ length: clients }, () => live(world, temporal, done, state)))
    }
    state.stopped = true
    await Promise.all(work)

    const left = world.service.store.selectFrom('outbox').select('seq')
    await eventually(async () => (await left.execute()).length === 0, 120_000)
    expect(lines.filter(line => line.includes('callback address registered')).length).toBeGreaterThan(gateways)
    expect(lines.filter(line => line.includes('"invalidSignature"'))).toEqual([])
    for (const { caseNo, shipmentUid } of done) {
      const handle = temporal.workflow.getHandle(toWorkflowId(caseNo))
      const { events } = await handle.fetchHistory()
      const signals = (events ?? [])
        .flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => signal ?? [])
        .map(({ input }) => JSON.parse(new TextDecoder().decode(input?.payloads?.[0]?.data ?? new Uint8Array())))
      expect(new Set(signals.map(signal => signal.shipmentUid))).toEqual(new Set([shipmentUid]))
      // A gateway that is stopped after the signal and before the response gets the callback again.
      expect([...new Set(signals.map(({ stateCode }) => stateCode))]).toEqual(life)
      await handle.terminate()
    }
  },
)

interface Shipment {
  readonly caseNo: string
  readonly shipmentUid: string
}

/** Takes one shipment after the other through its life, each with a flow that has no worker. No call may be refused. */
async function live(world: ServiceWorld, temporal: Client, done: Shipment[], state: { stopped: boolean }) {
  while (!state.stopped) {
    const caseNo = randomUUID()
    await temporal.workflow.start('recorder', { workflowId: toWorkflowId(caseNo), taskQueue: 'without-worker' })
    const body = { ...booking, PupUid: 'shared', Details: { ReferenceCaseNo: caseNo } }
    const { success, shipmentUids = [] } = await world.call('CreateLocalShipmentAsStock', body)
    const [shipmentUid = ''] = shipmentUids
    const opened = await world.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' })
    const cancelled = await world.call('CancelShipment', { shipmentUid })
    expect([success, opened.success, cancelled.success]).toEqual([true, true, true])
    done.push({ caseNo, shipmentUid })
    await pause(pace)
  }
}
