import { toWorkflowId } from '#flows'
import { pass } from '../../testing/stack/wire.ts'
import { journeys } from '../support/flows/journeys.ts'
import { declared, waitedIn } from '../support/flows/stages.ts'
import { startFor, walk } from '../support/flows/underway.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { accountFlows } from './accounts.ts'
import { bookings } from './bookings.ts'
import { continuedAsNew } from './continuedAsNew.ts'
import { decisions } from './decisions.ts'
import { notificationsAndSweeps } from './notificationsAndSweeps.ts'
import { ownFlows } from './ownFlows.ts'
import type { Scenario } from './scenario.ts'
import { updates } from './updates.ts'
import { withoutKeys } from './withoutKeys.ts'

const completed = declared.map(
  ({ name }): Scenario => ({
    name: `${name}-completed`,
    async play(world) {
      const underway = await startFor(world, name)
      await walk(world, underway)
      await world.flows.result(underway.caseNo)
      return underway.caseNo
    },
  }),
)

const cancelled = declared.flatMap(flow =>
  waitedIn(flow).map(
    (stage): Scenario => ({
      name: `${flow.name}-cancelled-in-${stage.name}`,
      async play(world) {
        const underway = await startFor(world, flow.name, stage.name)
        await walk(world, underway, stage.name)
        await world.flows.cancel(underway.caseNo, 'recorded')
        return underway.caseNo
      },
    }),
  ),
)

const overdue = declared.flatMap(flow =>
  waitedIn(flow).map(
    (stage): Scenario => ({
      name: `${flow.name}-overdue-in-${stage.name}`,
      async play(world) {
        const { caseNo, ...underway } = await startFor(world, flow.name, stage.name, { [stage.name]: '400ms' })
        await walk(world, { caseNo, ...underway }, stage.name)
        if (stage.onTimeout !== 'cancel') {
          await world.statusWhen(caseNo, status => status.overdue)
          await world.flows.decide(caseNo, { decision: 'extend', by: '1h' })
          await world.statusWhen(caseNo, status => !status.overdue)
          await world.client.workflow.getHandle(toWorkflowId(caseNo)).cancel()
        }
        await world.flows.result(caseNo)
        return caseNo
      },
    }),
  ),
)

/** Faults of a booking, on the shortest flow. */
const failedBookings: Scenario[] = [
  {
    name: 'stock-refused',
    async play(world) {
      const caseNo = world.newCase(0)
      await world.flows.startAndWaitForBooking('stock', { caseNo, request: { ...parcel, PupUid: 'nowhere' } })
      return caseNo
    },
  },
  {
    name: 'stock-input-not-valid',
    async play(world) {
      const caseNo = world.newCase(0)
      await world.flows.startAndWaitForBooking('stock', { caseNo, request: {} })
      return caseNo
    },
  },
  {
    name: 'stock-response-lost',
    async play(world) {
      let lost = 0
      world.toService.rule = ({ path }) => (path.includes('/CreateLocal') && lost++ < 2 ? { kind: 'loseAnswer' } : pass)
      const { caseNo } = await startFor(world, 'stock')
      await world.flows.cancel(caseNo, 'recorded')
      return caseNo
    },
  },
  {
    name: 'stock-booking-given-up',
    async play(world) {
      const caseNo = world.newCase()
      world.toService.rule = ({ path }) => (path.includes('/CreateLocal') ? { kind: 'loseAnswer' } : pass)
      const windows = { booking: '1s' } as const
      await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel, windows })
      return caseNo
    },
  },
  {
    name: 'stock-cancelled-while-booking',
    async play(world) {
      const caseNo = world.newCase(0)
      world.toService.rule = ({ path }) => (path.includes('/CreateLocal') ? { kind: 'cut' } : pass)
      await world.flows.start('stock', { caseNo, request: parcel })
      await world.statusWhen(caseNo, ({ rejections }) => rejections.length > 0)
      await world.flows.cancel(caseNo, 'recorded')
      return caseNo
    },
  },
]

/** The flow waits for the outcome, because it could not undo an issue from stock. */
const waitedForOutcome: Scenario = {
  name: 'issueFromStock-cancelled-while-booking',
  async play(world) {
    await world.restartWorker({ createDelay: 1_000 })
    const request = await journeys.issueFromStock.prepare(world)
    const caseNo = world.newCase(0)
    world.toService.rule = ({ path }) => (path.includes('IssueFromStock') ? { kind: 'cut' } : pass)
    await world.flows.start('issueFromStock', { caseNo, request })
    await world.statusWhen(caseNo, ({ rejections }) => rejections.length > 0)
    await world.flows.cancel(caseNo, 'recorded')
    await world.restartWorker()
    return caseNo
  },
}

export const scenarios: readonly Scenario[] = [
  ...completed,
  ...cancelled,
  ...overdue,
  ...failedBookings,
  waitedForOutcome,
  ...updates,
  ...decisions,
  ...accountFlows,
  ...notificationsAndSweeps,
  ...bookings,
  ...continuedAsNew,
  ...withoutKeys,
  ...ownFlows,
]
