import { toWorkflowId } from '#flows'
import { book } from '../support/flows/booking.ts'
import { growLong } from '../support/flows/longHistories.ts'
import { startFor, walk } from '../support/flows/underway.ts'
import type { World } from '../support/world/flowWorld.ts'
import { withNotifications } from './notificationsAndSweeps.ts'
import type { RecordedRun, Scenario } from './scenario.ts'
import { nameUnknown, startKept, startWithoutReceiver } from './updates.ts'

/** More events than a flow records between two of the new runs that these scenarios cause. */
const suggestedAt = 60

/** Ends a run and starts the next one with its progress. */
const continueAsNew = (world: World, caseNo: string) => growLong(world, caseNo, suggestedAt)

/** All runs of a case, oldest first. */
export async function runsOf({ client }: World, caseNo: string): Promise<RecordedRun[]> {
  const workflowId = toWorkflowId(caseNo)
  const runs: RecordedRun[] = []
  let runId: string | null | undefined = (await client.workflow.getHandle(workflowId).describe()).runId
  while (runId) {
    runs.unshift({ workflowId, runId })
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory()
    runId = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId
  }
  return runs
}

const loan = 'issueFromStockAndSubsequentIntakeAndCircularStock'

/** Flows that continued as new. The input of each run must stay readable. */
export const continuedAsNew: readonly Scenario[] = [
  {
    name: `${loan}-continued-as-new`,
    runs: 4,
    suggestedAt,
    async play(world) {
      const underway = await startFor(world, loan, 'return', { return: '400ms' })
      const { caseNo } = underway
      await walk(world, underway, 'return')
      await world.statusWhen(caseNo, ({ overdue }) => overdue)
      await continueAsNew(world, caseNo)
      await world.flows.decide(caseNo, { decision: 'extend', by: '1h' })
      await continueAsNew(world, caseNo)
      await continueAsNew(world, caseNo)
      const intake = underway.shipments.find(({ role }) => role === 'intake')
      if (intake === undefined) throw new Error('nothing was booked')
      await world.open(intake, 'deliveryCode')
      await world.flows.result(caseNo)
      return runsOf(world, caseNo)
    },
  },
  {
    name: `${loan}-continued-as-new-before-the-issue`,
    runs: 2,
    suggestedAt,
    async play(world) {
      const underway = await startFor(world, loan)
      const { caseNo } = underway
      await walk(world, underway, 'pickUp')
      await continueAsNew(world, caseNo)
      await walk(world, underway)
      await world.flows.result(caseNo)
      return runsOf(world, caseNo)
    },
  },
  {
    name: 'stock-continued-as-new-and-reminded',
    runs: 2,
    suggestedAt,
    async play(world) {
      const { caseNo } = await startFor(world, 'stock', 'dropOff', { dropOff: '3s' })
      const before = await world.statusWhen(caseNo, ({ overdue }) => overdue)
      await continueAsNew(world, caseNo)
      await world.statusWhen(caseNo, ({ deadline }) => deadline !== before.deadline)
      await world.flows.cancel(caseNo, 'recorded')
      return runsOf(world, caseNo)
    },
  },
  {
    name: 'collectByUser-continued-as-new-while-kept',
    runs: 2,
    suggestedAt,
    async play(world) {
      const caseNo = await startKept(world)
      await continueAsNew(world, caseNo)
      await world.flows.release(caseNo)
      await world.flows.result(caseNo)
      return runsOf(world, caseNo)
    },
  },
  {
    name: 'localShipment-continued-as-new-with-refusals',
    runs: 2,
    suggestedAt,
    async play(world) {
      const { caseNo, shipment } = await startWithoutReceiver(world)
      await nameUnknown(world, caseNo)
      await continueAsNew(world, caseNo)
      await nameUnknown(world, caseNo)
      await world.flows.assignReceiver(caseNo, world.userUid)
      await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
      await world.open(shipment, 'pickUpCode')
      await world.flows.result(caseNo)
      return runsOf(world, caseNo)
    },
  },
  {
    name: 'issue-continued-as-new-with-notifications',
    runs: 2,
    suggestedAt,
    async play(world) {
      const caseNo = await withNotifications(world, async () => {
        const { caseNo, shipment } = await book(world, 'issue')
        await world.open(shipment, 'deliveryCode')
        await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
        await continueAsNew(world, caseNo)
        await world.open(shipment, 'pickUpCode')
        return caseNo
      })
      return runsOf(world, caseNo)
    },
  },
]
