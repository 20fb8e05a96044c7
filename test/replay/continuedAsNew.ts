import { workflowIdOf } from '#contract/terms'
import { book } from '../flows/booking.ts'
import { growLong } from '../flows/growing.ts'
import { startFor, walk } from '../flows/underway.ts'
import type { World } from '../flows/world.ts'
import { withNotices } from './besides.ts'
import { keep, waitForReceiver } from './ordered.ts'
import type { Lived, Scenario } from './scenario.ts'

/** More events than a flow makes by itself between two of the new runs that are brought about here. */
const suggestedAt = 60

/** Ends a run, and begins the next one with the course. */
const carryOn = (world: World, caseNo: string) => growLong(world, caseNo, suggestedAt)

/** All runs of a case, from the first. */
async function runsOf({ client }: World, caseNo: string): Promise<Lived[]> {
  const workflowId = workflowIdOf(caseNo)
  const runs: Lived[] = []
  let runId: string | null | undefined = (await client.workflow.getHandle(workflowId).describe()).runId
  while (runId) {
    runs.unshift({ workflowId, runId })
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory()
    runId = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId
  }
  return runs
}

const loan = 'issueFromStockAndSubsequentIntakeAndCircularStock'

/** Flows that continued as new: what one run handed over has to stay readable for the next. */
export const carriedOn: readonly Scenario[] = [
  {
    name: `${loan}-carried-on`,
    runs: 4,
    suggestedAt,
    async play(world) {
      const underway = await startFor(world, loan, 'return', { return: '400ms' })
      const { caseNo } = underway
      await walk(world, underway, 'return')
      await world.statusWhen(caseNo, ({ overdue }) => overdue)
      await carryOn(world, caseNo)
      await world.flows.decide(caseNo, { decision: 'extend', by: '1h' })
      await carryOn(world, caseNo)
      await carryOn(world, caseNo)
      const intake = underway.shipments.find(({ role }) => role === 'intake')
      if (intake === undefined) throw new Error('nothing was booked')
      await world.open(intake, 'deliveryCode')
      await world.flows.result(caseNo)
      return runsOf(world, caseNo)
    },
  },
  {
    name: `${loan}-carried-on-before-the-issue`,
    runs: 2,
    suggestedAt,
    async play(world) {
      const underway = await startFor(world, loan)
      const { caseNo } = underway
      await walk(world, underway, 'pickUp')
      await carryOn(world, caseNo)
      await walk(world, underway)
      await world.flows.result(caseNo)
      return runsOf(world, caseNo)
    },
  },
  {
    name: 'stock-carried-on-and-reminded',
    runs: 2,
    suggestedAt,
    async play(world) {
      const { caseNo } = await startFor(world, 'stock', 'dropOff', { dropOff: '3s' })
      const before = await world.statusWhen(caseNo, ({ overdue }) => overdue)
      await carryOn(world, caseNo)
      await world.statusWhen(caseNo, ({ deadline }) => deadline !== before.deadline)
      await world.flows.cancel(caseNo, 'recorded')
      return runsOf(world, caseNo)
    },
  },
  {
    name: 'collectByUser-carried-on-while-kept',
    runs: 2,
    suggestedAt,
    async play(world) {
      const caseNo = await keep(world)
      await carryOn(world, caseNo)
      await world.flows.release(caseNo)
      return runsOf(world, caseNo)
    },
  },
  {
    name: 'localShipment-carried-on-with-refusals',
    runs: 2,
    suggestedAt,
    async play(world) {
      const { caseNo, shipment } = await waitForReceiver(world)
      await world.flows.assignReceiver(caseNo, 'nobody')
      await carryOn(world, caseNo)
      await world.flows.assignReceiver(caseNo, 'nobody')
      await world.flows.assignReceiver(caseNo, world.userUid)
      await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
      await world.open(shipment, 'pickUpCode')
      await world.flows.result(caseNo)
      return runsOf(world, caseNo)
    },
  },
  {
    name: 'issue-carried-on-with-notices',
    runs: 2,
    suggestedAt,
    async play(world) {
      const caseNo = await withNotices(world, async () => {
        const { caseNo, shipment } = await book(world, 'issue')
        await world.open(shipment, 'deliveryCode')
        await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
        await carryOn(world, caseNo)
        await world.open(shipment, 'pickUpCode')
        return caseNo
      })
      return runsOf(world, caseNo)
    },
  },
]
