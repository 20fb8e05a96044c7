import { expect, inject, onTestFinished, test } from 'vitest'
import type { DecisionLinks } from '#flows'
import { type FlowApi, startFlowApi } from '../../../gateway/flowApi/index.ts'
import { freePort } from '../../../platform/ports.ts'
import { roundRobin } from '../../cluster/roundRobin.ts'
import { eventually } from '../../support/eventually.ts'
import { book } from '../../support/flows/booking.ts'
import { noticeKey, noticesOf } from '../../support/flows/notifications.ts'
import { startReceiver } from '../../support/servers/callbackReceiver.ts'
import { silentLog } from '../../support/world/settings.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()
const before = 'the-key-of-links-before-the-rotation'
const after = 'the-key-of-links-after-the-rotation'
const clients = 2
/** Links that are not opened until the rotation is over, one for each flow. */
const waiting = 3
/** Decisions that the clients make between two restarts. */
const between = 2

function openFlowApi(port: number, decisionKeys: readonly string[]): Promise<FlowApi> {
  const { address, namespace } = inject('temporal')
  return startFlowApi(
    { host: '127.0.0.1', port, decisionKeys, issuers: [], limits: { eventLoopDelay: 60_000 } },
    {
      ...{ temporal: { address }, namespace, taskQueue: world.taskQueue, log: silentLog, observer: undefined },
      ...{ clock: Date.now, readiness: { missing: () => [] }, stopping: new AbortController().signal },
    },
  )
}

async function post(link: string): Promise<number> {
  return (await fetch(link, { method: 'POST', headers: { connection: 'close' } })).status
}

test('the key of decision links changes under load: no link is refused, and those made before stay usable', {
  timeout: 300_000,
}, async () => {
  const receiver = await startReceiver()
  const ports = [await freePort('127.0.0.1'), await freePort('127.0.0.1')] as const
  const balancer = await roundRobin(ports)
  const flowApis = await Promise.all(ports.map(port => openFlowApi(port, [before])))
  const state = { stopped: false }
  const load: Promise<void>[] = []
  const statuses: number[] = []
  onTestFinished(async () => {
    state.stopped = true
    await Promise.allSettled(load)
    await Promise.all(flowApis.map(flowApi => flowApi.stop(1_000)))
    balancer.close()
    await receiver.stop()
  })

  /** Sets the keys of one gateway after the other, as docs/how-to/look-after-flows.md describes it. */
  async function setKeys(...keys: readonly string[]): Promise<void> {
    for (const [index, port] of ports.entries()) {
      await flowApis[index]?.stop(5_000)
      flowApis[index] = await openFlowApi(port, keys)
      await progress()
    }
  }
  const signBy = (key: string) =>
    world.restartWorker({
      notifications: {
        url: receiver.url,
        key: noticeKey,
        links: { url: `http://${balancer.address}`, key, lifetime: 86_400_000, extendBy: '24h' },
      },
    })
  async function progress(): Promise<void> {
    const wanted = statuses.length + between
    await eventually(() => statuses.length >= wanted, 120_000)
  }
  async function overdueFlow(): Promise<{ caseNo: string; links: DecisionLinks }> {
    const { caseNo, shipment } = await book(world, 'issue', { pickUp: '100ms' })
    await world.open(shipment, 'deliveryCode')
    const overdue = () => noticesOf(receiver, caseNo).find(({ type }) => type === 'flow.overdue')
    return { caseNo, links: await eventually(() => overdue()?.data.links, 60_000) }
  }
  async function decide({ caseNo, links }: Awaited<ReturnType<typeof overdueFlow>>): Promise<void> {
    statuses.push(await post(links.keepWaiting))
    await world.flows.cancel(caseNo, 'over')
  }

  await signBy(before)
  const made = await Promise.all(Array.from({ length: waiting }, overdueFlow))
  load.push(
    ...Array.from({ length: clients }, async () => {
      while (!state.stopped) await decide(await overdueFlow())
    }),
  )
  await progress()
  await setKeys(after, before)
  await signBy(after)
  await progress()
  const [last, ...others] = made
  for (const flow of others) await decide(flow)
  state.stopped = true
  await Promise.all(load)
  expect(new Set(statuses)).toEqual(new Set([200]))

  // Without the old key, its links end.
  for (const [index, port] of ports.entries()) {
    await flowApis[index]?.stop(5_000)
    flowApis[index] = await openFlowApi(port, [after])
  }
  expect(await post(last?.links.keepWaiting ?? '')).toBe(404)
  await world.flows.cancel(last?.caseNo ?? '', 'over')
})
