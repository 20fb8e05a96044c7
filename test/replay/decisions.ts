import type { BookingFlowName, Decision } from '#flows'
import { startFor, type Underway, walk } from '../support/flows/underway.ts'
import type { World } from '../support/world/flowWorld.ts'
import type { Scenario } from './scenario.ts'

/** Starts a flow whose window passes in a step, and decides. */
async function decideIn(world: World, flow: BookingFlowName, step: string, decision: Decision): Promise<Underway> {
  const underway = await startFor(world, flow, step, { [step]: '400ms' })
  await walk(world, underway, step)
  await world.statusWhen(underway.caseNo, ({ overdue }) => overdue)
  await world.flows.decide(underway.caseNo, decision)
  return underway
}

/** Decisions after a window has passed, and one at the service. */
export const decisions: readonly Scenario[] = [
  {
    name: 'issue-kept-waiting-in-pickUp',
    async play(world) {
      const { caseNo, shipments } = await decideIn(world, 'issue', 'pickUp', { decision: 'keepWaiting' })
      const [issue] = shipments
      if (issue === undefined) throw new Error('the booking has no shipments')
      await world.open(issue, 'pickUpCode')
      await world.flows.result(caseNo)
      return caseNo
    },
  },
  {
    name: 'issueFromStockAndSubsequentIntakeAndCircularStock-given-up-in-return',
    async play(world) {
      const loan = 'issueFromStockAndSubsequentIntakeAndCircularStock'
      const { caseNo } = await decideIn(world, loan, 'return', { decision: 'cancel' })
      await world.flows.result(caseNo)
      return caseNo
    },
  },
  {
    name: 'intake-cancelled-at-the-service-in-dropOff',
    async play(world) {
      const { caseNo, shipments } = await startFor(world, 'intake', 'dropOff')
      await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
      const [intake] = shipments
      await world.api.call('CancelShipment', { shipmentUid: intake?.shipmentUid ?? '' })
      await world.flows.result(caseNo)
      return caseNo
    },
  },
]
