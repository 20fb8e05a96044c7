import { randomUUID } from 'node:crypto'
import { CancelledFailure } from '@temporalio/client'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { pass } from '../../../testing/stack/wire.ts'
import { eventually, gate } from '../../support/eventually.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()

afterEach(async () => {
  world.toService.rule = () => pass
  for (const { shipmentUid } of await activeShipments()) await world.api.call('CancelShipment', { shipmentUid })
})

async function activeShipments() {
  const { items } = await world.api.call('GetShipments', { activeShipments: true, pageSize: 500 })
  return items
}

/** Starts a sweep of two lost bookings, and returns it when the service has got the first cancellation. */
async function startSweep(cancellation: Promise<unknown>) {
  for (let made = 0; made < 2; made++) {
    const Details = { ReferenceCaseNo: `T-${randomUUID()}` }
    await world.api.call('CreateLocalShipmentAsStock', { ...parcel, Details })
  }
  let cancellations = 0
  world.toService.rule = ({ path }) => {
    if (!path.endsWith('CancelShipment')) return pass
    cancellations++
    return { kind: 'answerLater', until: cancellation }
  }
  const sweep = await world.client.workflow.start('sweep', {
    workflowId: `sweep-${randomUUID()}`,
    taskQueue: world.taskQueue,
    args: [{ act: 'cancel', olderThan: 1 }],
  })
  await eventually(() => cancellations > 0)
  return sweep
}

test('a sweep that is cancelled closes as cancelled when its case is treated, and leaves the others', async () => {
  const { opened, open } = gate()
  onTestFinished(open)
  const sweep = await startSweep(opened)
  await sweep.cancel()
  await eventually(async () => {
    const { events = [] } = await sweep.fetchHistory()
    return events?.some(event => event.activityTaskCancelRequestedEventAttributes) === true
  })
  expect((await sweep.describe()).status.name).toBe('RUNNING')
  open()
  await expect(sweep.result()).rejects.toMatchObject({ cause: expect.any(CancelledFailure) })
  expect((await sweep.describe()).status.name).toBe('CANCELLED')
  expect(await activeShipments()).toHaveLength(1)
})
