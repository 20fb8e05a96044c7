import { expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { pass } from '../../../testing/stack/wire.ts'
import { eventually, gate } from '../../support/eventually.ts'
import { rejectionsOf } from '../../support/flows/booking.ts'
import { eventsOf } from '../../support/flows/history.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

/** Only the second booking asks for it, so a repetition of the first is not mistaken for it. */
const secondWidth = parcel.Dimension.width + 1
const second = { ...parcel, Dimension: { ...parcel.Dimension, width: secondWidth } }

const twoBookings = {
  name: 'twoBookings',
  summary: 'Two lockers are booked.',
  input: {},
  steps: [
    { name: 'first', summary: 'Book.', book: 'CreateLocalShipmentAsStock', request: parcel },
    { name: 'second', summary: 'Book.', book: 'CreateLocalShipmentAsStock', request: second, as: { stock: 'other' } },
    {
      name: 'dropOff',
      summary: 'Wait.',
      wait: { stock: 'WaitForReceiver', other: 'WaitForReceiver' },
      window: '1h',
      onTimeout: 'cancel',
    },
  ],
} as FlowDeclaration

const world = useWorld({ pollInterval: { initial: 200, maximum: 3_600_000 } })

test('a poll that began before a booking does not report its shipment as unknown', async () => {
  await world.restartWorker({ flows: [twoBookings] })
  const caseNo = world.newCase(2)
  const [polled, booked] = [gate(), gate()]
  let creates = 0
  let polls = 0
  world.toService.rule = ({ path, body }) => {
    const isSecond = path.includes('/CreateLocal') && body.includes(`"width":${secondWidth}`)
    if (isSecond && ++creates === 1) return { kind: 'answerLater', until: polled.opened }
    if (!path.endsWith('/GetShipments') || creates === 0 || ++polls > 1) return pass
    polled.open()
    return { kind: 'answerLater', until: booked.opened }
  }
  await world.client.workflow.start('twoBookings', {
    taskQueue: world.taskQueue,
    workflowId: toWorkflowId(caseNo),
    args: [{ caseNo, request: {} }],
  })
  await polled.opened
  await eventually(async () => {
    const events = await eventsOf(world, caseNo)
    const book = events.findLast(
      ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === 'bookShipments',
    )
    const end = events.findIndex(
      ({ activityTaskCompletedEventAttributes: completed }) =>
        completed?.scheduledEventId != null && `${completed.scheduledEventId}` === `${book?.eventId}`,
    )
    const taken = events.findLastIndex(event => event.workflowTaskCompletedEventAttributes)
    return book !== undefined && end >= 0 && end < taken
  })
  booked.open()
  const status = await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
  expect(status.shipments).toMatchObject([{ role: 'stock' }, { role: 'other' }])
  expect(rejectionsOf(status)).toEqual([])
  await world.flows.cancel(caseNo, 'over')
})
