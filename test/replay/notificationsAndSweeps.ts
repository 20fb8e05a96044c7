import { randomUUID } from 'node:crypto'
import type { SweepInput } from '#flows'
import { eventsOf } from '../support/flows/history.ts'
import { sweepCase, terminate } from '../support/flows/orphans.ts'
import { startFor, walk } from '../support/flows/underway.ts'
import { startReceiver } from '../support/servers/callbackReceiver.ts'
import type { World } from '../support/world/flowWorld.ts'
import type { RecordedRun, Scenario } from './scenario.ts'

/** Closed port: the flow does not depend on the delivery. */
const notifications = { url: 'http://127.0.0.1:9/', key: 'a-key-without-a-receiver' }

/** Plays until the end of the flow, with undeliverable notifications. */
export async function withNotifications(world: World, play: () => Promise<string>): Promise<string> {
  await world.restartWorker({ notifications })
  const caseNo = await play()
  await world.flows.result(caseNo)
  await world.restartWorker()
  return caseNo
}

/** The delivery of a flow's only notification, its cancellation, to a receiver with this response. */
async function sending(world: World, status: number, deliveryTimeout: number): Promise<RecordedRun[]> {
  const receiver = await startReceiver(() => ({ status }))
  await world.restartWorker({ notifications: { url: receiver.url, key: notifications.key, deliveryTimeout } })
  const { caseNo } = await startFor(world, 'stock')
  await world.flows.cancel(caseNo, 'recorded')
  // The flow ends after the start of its children.
  await world.flows.result(caseNo)
  const senders = (await eventsOf(world, caseNo)).flatMap(event => {
    const { workflowId } = event.childWorkflowExecutionStartedEventAttributes?.workflowExecution ?? {}
    return workflowId ? [{ workflowId }] : []
  })
  for (const { workflowId } of senders) {
    await world.client.workflow
      .getHandle(workflowId)
      .result()
      .catch(() => undefined)
  }
  await receiver.stop()
  await world.restartWorker()
  return senders
}

/** A sweep of one case with a terminated flow. */
async function sweeping(world: World, order: Pick<SweepInput, 'act' | 'late'>): Promise<RecordedRun[]> {
  const { caseNo } = await startFor(world, 'issue')
  await terminate(world, caseNo)
  const workflowId = `sweep-${randomUUID()}`
  const args = [{ olderThan: 1, caseNo, ...order }]
  await world.client.workflow.execute('sweep', { workflowId, taskQueue: world.taskQueue, args })
  if (order.act === 'adopt') await world.flows.cancel(caseNo, 'recorded')
  return [{ workflowId }]
}

/** The other workflows: notifications, and sweeps that adopt cases. */
export const notificationsAndSweeps: readonly Scenario[] = [
  {
    name: 'issue-completed-with-notifications',
    play: world =>
      withNotifications(world, async () => {
        const underway = await startFor(world, 'issue')
        await walk(world, underway)
        return underway.caseNo
      }),
  },
  {
    name: 'stock-overdue-with-notifications',
    play: world =>
      withNotifications(world, async () => {
        const { caseNo } = await startFor(world, 'stock', 'dropOff', { dropOff: '400ms' })
        await world.statusWhen(caseNo, ({ overdue }) => overdue)
        await world.flows.cancel(caseNo, 'recorded')
        return caseNo
      }),
  },
  {
    name: 'issueAndSwapIntake-adopted',
    async play(world) {
      const underway = await startFor(world, 'issueAndSwapIntake')
      await walk(world, underway, 'swap')
      await terminate(world, underway.caseNo)
      await sweepCase(world, underway.caseNo, { act: 'adopt' })
      await world.flows.cancel(underway.caseNo, 'recorded')
      return underway.caseNo
    },
  },
  { name: 'notification-delivered', play: world => sending(world, 204, 60_000) },
  { name: 'notification-given-up', play: world => sending(world, 503, 1_500) },
  { name: 'sweep-listed', play: world => sweeping(world, { act: 'list' }) },
  { name: 'sweep-cancelled', play: world => sweeping(world, { act: 'cancel' }) },
  { name: 'sweep-of-late-bookings', play: world => sweeping(world, { act: 'cancel', late: { delay: 1, known: [] } }) },
  { name: 'sweep-adopted', play: world => sweeping(world, { act: 'adopt' }) },
]
