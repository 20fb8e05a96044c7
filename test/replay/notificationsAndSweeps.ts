import { randomUUID } from 'node:crypto'
import type { SweepOrder } from '#contract/terms'
import { eventsOf } from '../flows/history.ts'
import { sweepCase, terminate } from '../flows/orphans.ts'
import { startFor, walk } from '../flows/underway.ts'
import type { World } from '../flows/world.ts'
import { startReceiver } from '../service/receiver.ts'
import type { Lived, Scenario } from './scenario.ts'

/** Nobody listens there; a flow does not care. */
const notices = { url: 'http://127.0.0.1:9/', key: 'a-key-of-nobody-who-listens' }

/** Plays with notices that are sent to nobody, until the end of the flow. */
export async function withNotices(world: World, play: () => Promise<string>): Promise<string> {
  await world.restartWorker({ notices })
  const caseNo = await play()
  await world.flows.result(caseNo)
  await world.restartWorker()
  return caseNo
}

/** The sending of the only notice of a flow, that it was cancelled, to a receiver that answers so. */
async function sending(world: World, status: number, patience: number): Promise<Lived[]> {
  const receiver = await startReceiver(() => ({ status }))
  await world.restartWorker({ notices: { url: receiver.url, key: notices.key, patience } })
  const { caseNo } = await startFor(world, 'stock')
  await world.flows.cancel(caseNo, 'recorded')
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

/** A sweep of one case, whose flow was terminated. */
async function sweeping(world: World, order: Pick<SweepOrder, 'act'>): Promise<Lived[]> {
  const { caseNo } = await startFor(world, 'issue')
  await terminate(world, caseNo)
  const workflowId = `sweep-${randomUUID()}`
  const args = [{ olderThan: 1, caseNo, ...order }]
  await world.client.workflow.execute('sweep', { workflowId, taskQueue: world.taskQueue, args })
  if (order.act === 'adopt') await world.flows.cancel(caseNo, 'recorded')
  return [{ workflowId }]
}

/** What goes on beside flows: notices, and sweeps that have them taken over. */
export const besides: readonly Scenario[] = [
  {
    name: 'issue-completed-with-notices',
    play: world =>
      withNotices(world, async () => {
        const underway = await startFor(world, 'issue')
        await walk(world, underway)
        return underway.caseNo
      }),
  },
  {
    name: 'stock-overdue-with-notices',
    play: world =>
      withNotices(world, async () => {
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
  { name: 'notice-delivered', play: world => sending(world, 204, 60_000) },
  { name: 'notice-given-up', play: world => sending(world, 503, 1_500) },
  { name: 'sweep-listed', play: world => sweeping(world, { act: 'list' }) },
  { name: 'sweep-cancelled', play: world => sweeping(world, { act: 'cancel' }) },
  { name: 'sweep-adopted', play: world => sweeping(world, { act: 'adopt' }) },
]
