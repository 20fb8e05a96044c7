import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { answer, cancel } from '#flows/messages'
import { pass } from '../../../../testing/stack/wire.ts'
import { eventually, gate } from '../../../support/eventually.ts'
import { eventsOf } from '../../../support/flows/history.ts'
import { growOld } from '../../../support/flows/longHistories.ts'
import { resetToStart } from '../../../support/flows/reset.ts'
import { parcel } from '../../../support/world/apiWorld.ts'
import type { World } from '../../../support/world/flowWorld.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

/** Created as ReadyForPickup, the state of a shipment whose item is in its locker. */
const book = 'CreateCollectOnlyShipmentAsCollectByUser'

const collectLater = {
  name: 'collectLater',
  summary: 'Books a collection once the staff agrees.',
  input: { userUid: 'uid' },
  steps: [
    {
      name: 'approval',
      summary: 'Ask the staff.',
      ask: { yes: {} },
      who: 'staff',
      window: '30d',
      onTimeout: 'remind',
    },
    {
      name: 'booking',
      summary: 'Book a locker.',
      book,
      request: { ...parcel, ToUserUid: { from: 'input.userUid' }, KeepBookedAfterPickUp: false },
    },
    { name: 'pickUp', summary: 'Wait.', wait: { collect: 'Completed' }, window: '1h', onTimeout: 'cancel' },
  ],
} as const satisfies FlowDeclaration

const world = useWorld()

beforeAll(() => world.restartWorker({ flows: [collectLater] }))

async function continueAsNew(world: World, caseNo: string): Promise<void> {
  await growOld(world, caseNo)
}

/** Resets the flow to the first task of its newest run. */
async function reset(world: World, caseNo: string): Promise<void> {
  const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
  const { runId } = await handle.describe()
  await resetToStart(world, caseNo)
  await eventually(async () => (await handle.describe()).runId !== runId)
  await world.statusWhen(caseNo, ({ step }) => step === 'approval')
}

const kept = [{ step: 'booking', reason: 'there is an item in the locker' }]

test.each([
  { runs: 'in its first run', before: [], leftOver: [], stateCode: 'Cancelled' },
  { runs: 'after continue-as-new', before: [continueAsNew], leftOver: [], stateCode: 'Cancelled' },
  { runs: 'after a reset', before: [reset], leftOver: kept, stateCode: 'ReadyForPickup' },
  {
    runs: 'after a reset of a later run',
    before: [continueAsNew, reset],
    leftOver: kept,
    stateCode: 'ReadyForPickup',
  },
  {
    runs: 'after continue-as-new of a reset run',
    before: [reset, continueAsNew],
    leftOver: kept,
    stateCode: 'ReadyForPickup',
  },
])('a flow that is cancelled $runs while it books', async ({ before, leftOver, stateCode }) => {
  const caseNo = randomUUID()
  const handle = await world.client.workflow.start('collectLater', {
    taskQueue: world.taskQueue,
    workflowId: toWorkflowId(caseNo),
    args: [{ caseNo, request: { userUid: world.userUid } }],
  })
  await world.statusWhen(caseNo, ({ step }) => step === 'approval')
  for (const change of before) await change(world, caseNo)
  const [begun, ended] = [gate(), gate()]
  world.toService.rule = ({ path }) => {
    if (!path.includes(book)) return pass
    begun.open()
    return { kind: 'answerLater', until: ended.opened }
  }
  const flow = world.client.workflow.getHandle(handle.workflowId)
  await flow.executeUpdate(answer, { args: [{ step: 'approval', answer: 'yes', fields: {} }] })
  await begun.opened
  const cancelled = flow.executeUpdate(cancel, { args: [{ reason: 'test' }] })
  await eventually(async () =>
    (await eventsOf(world, caseNo)).some(
      event => event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.name === 'cancel',
    ),
  )
  ended.open()
  expect(await cancelled).toMatchObject({ outcome: 'cancelled', leftOver })
  const shipments = await world.shipmentsOf(caseNo)
  expect(shipments).toMatchObject([{ stateCode }])
  world.cases.set(caseNo, 1)
  for (const { shipmentUid } of stateCode === 'Cancelled' ? [] : shipments) {
    await world.api.call('CancelShipment', { shipmentUid })
  }
})
